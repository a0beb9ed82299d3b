import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import { keccak256, recoverTransactionAddress, recoverTypedDataAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { AUTHORIZATION_TYPES } from '../harness/authorizations.mts';
import { padFelt } from '../harness/starkChain.mts';
import { LEADER, type NodeCases, type Scene } from './case.mts';

const GREETING = 'I am the owner of this account';
const MAIL = {
	types: {
		Mail: [
			{ name: 'to', type: 'address' },
			{ name: 'contents', type: 'string' },
		],
	},
	domain: { name: 'Example', chainId: 31337 },
	primaryType: 'Mail',
	message: { to: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', contents: 'hello' },
} as const;

/** The offer of a seller in the x402 protocol. The rules of the signing credential limit payments in its token. */
const OFFER = {
	scheme: 'exact',
	network: 'eip155:31337',
	amount: '10000',
	asset: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
	payTo: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	maxTimeoutSeconds: 60,
	extra: { name: 'USD Coin', version: '2' },
} as const;
const REQUIRED = {
	x402Version: 2,
	resource: { url: 'https://shop.example.com' },
	accepts: [OFFER],
};

type Signed = ReturnType<typeof utils.crypto.signTransaction>;

/** Prepares a payment of the scene's signer, with the operation Prepare. */
export async function preparePayment(scene: Scene, amount: string): Promise<IDataObject> {
	const { first, signerAddress, other } = scene;
	return await first('evmRpc', {
		resource: 'transaction',
		operation: 'prepare',
		from: signerAddress,
		to: other,
		amount,
	});
}

/** Prepares a payment of the scene's payer on TON. */
async function prepareTransfer({ first, ton }: Scene): Promise<IDataObject> {
	const payment = { from: ton.payer, to: ton.receiver, amount: '0.01' };
	return await first('ton', { resource: 'transaction', operation: 'prepare', ...payment });
}

/** Prepares a payment of the scene's account on the STARK rollup. */
async function prepareInvoke({ first, stark }: Scene): Promise<IDataObject> {
	const payment = { from: stark.account, token: stark.token, to: stark.receiver, amount: '0.01' };
	return await first('stark', { resource: 'transaction', operation: 'prepare', ...payment });
}

/** Builds a vote of the scene's signer with the node Chain Witness Wallet. */
async function buildVote({ first, signerKey }: Scene): Promise<IDataObject> {
	return await first('witnessWallet', {
		resource: 'witness',
		operation: 'vote',
		ownerAddress: String(TronWeb.address.fromPrivateKey(signerKey.slice(2))),
		votes: { vote: [{ voteAddress: LEADER, voteCount: '5' }] },
	});
}

const inLowerCase = (signatures: readonly string[]) => signatures.map((one) => one.toLowerCase());

/** A signed payment as the sample shows it. The real fee and signature differ in each run. */
const SIGNED_INVOKE = {
	type: 'INVOKE',
	version: '0x3',
	sender_address: '0x70688b46be202f23e230d98f2eef5157144414510227d065f68a2cad351300f',
	calldata: [
		'0x1',
		'0x240845d4a21b9cc7c3c0621803237f4c3095c988d75c4935930040364b6fbaa',
		'0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e',
		'0x3',
		'0x32723e048cd87d5852c76fe223ea50f105233e9a00c2fbd40b0e27f73858530',
		'0x2710',
		'0x0',
	],
	nonce: '0x1',
	resource_bounds: {
		l1_gas: {
			max_amount: '0x0',
			max_price_per_unit: '0x3b9aca00',
		},
		l2_gas: {
			max_amount: '0x138800',
			max_price_per_unit: '0x11e1a300',
		},
		l1_data_gas: {
			max_amount: '0x180',
			max_price_per_unit: '0x2540be400',
		},
	},
	tip: '0x0',
	paymaster_data: [],
	account_deployment_data: [],
	nonce_data_availability_mode: 'L1',
	fee_data_availability_mode: 'L1',
	chainId: '0x534e5f5345504f4c4941',
	signature: [
		'0x4aa057d4afd2677c71d9c59388dc3118f5edbdf4283d0977a1e072f409529d4',
		'0x357da8aa662291411a6eddfc15412b7cb4027f6a46154d87e8034eceec69aa8',
	],
};
const SIGNED_INVOKE_HASH = '0x01467451ed2166d5f95c640d30414228818337fc9949be23a31a06ed465045e0';

/** The bytes of a signed transfer as the sample shows them. The real bytes contain the time of the signing. */
const SIGNED_TRANSFER =
	'te6cckEBBAEAtgAB5YgBe1qsP2oXWxh9U4jlDv1kJZ6iUZIFvC+8smn60XijIygDm0s7c///+ItYLTvIAAAAHWgDPegFI8beyxlyT9bpMKN5BzXzh3odaDnhWAHcWb/OTKMtsV05T4NmM6n6HJO3nCH7u5T14whH0zqNj/JPFBEBAgoOw8htAwIDAAAAZkIAAGB+sMfKpmmESkEyY/s3WXWprb8U+c/35LFdGatF1ZGcxLQAAAAAAAAAAAAAAAAAALvWXe0=';
const SIGNED_TRANSFER_HASH = '5bf0d9feacf45cc146f4bc51236e2cf2669f4dede54d6459424db9e9652a0ec5';

export const signer: NodeCases = {
	node: 'signer',
	accesses: ['key', 'remote'],
	cases: [
		{
			resource: 'transaction',
			operation: 'sign',
			parameters: async (scene) => ({
				transaction: JSON.stringify(await preparePayment(scene, '0.001')),
			}),
			check: async ([item], { signerAddress, chain }) => {
				const serializedTransaction = item?.signedTransaction as `0x02${string}`;
				const from = await recoverTransactionAddress({ serializedTransaction });
				assert.deepEqual([item?.from, from], [signerAddress, signerAddress]);
				assert.equal(item?.transactionHash, keccak256(serializedTransaction));
				const sent = await chain('eth_sendRawTransaction', serializedTransaction);
				assert.equal(sent, item?.transactionHash);
			},
			shown: { given: { transaction: '{{ $json.transaction }}' } },
		},
		{
			resource: 'account',
			operation: 'get',
			check: ([item], { signerAddress }) => {
				const witnessHex = `41${signerAddress.slice(2).toLowerCase()}`;
				assert.deepEqual(item, {
					evm: signerAddress,
					witnessBase58: TronWeb.address.fromHex(witnessHex),
					witnessHex,
				});
			},
		},
		{
			resource: 'account',
			operation: 'getRules',
			check: ([item]) => {
				assert.match(
					String(item?.worst),
					/^At worst, someone who controls the workflow can spend all coins on /,
				);
				assert.deepEqual(Object.keys(item ?? {}), ['worst']);
			},
		},
		{
			resource: 'tonTransfer',
			operation: 'sign',
			accesses: ['tonKey'],
			parameters: async (scene) => ({ transfer: JSON.stringify(await prepareTransfer(scene)) }),
			check: async ([item], { first, ton }) => {
				const { signedMessage, messageHash } = item ?? {};
				assert.equal(item?.from, ton.payer);
				const sending = {
					resource: 'transaction',
					operation: 'send',
					signedMessage: String(signedMessage),
				};
				assert.equal((await first('ton', sending)).messageHash, messageHash);
			},
			shown: {
				given: { transfer: '{{ $json.transfer }}' },
				outcome: { signedMessage: SIGNED_TRANSFER, messageHash: SIGNED_TRANSFER_HASH },
			},
		},
		{
			resource: 'starkTransaction',
			operation: 'sign',
			accesses: ['starkKey'],
			parameters: async (scene) => ({ transaction: JSON.stringify(await prepareInvoke(scene)) }),
			check: async ([item], { first, stark }) => {
				const { transaction, transactionHash } = item ?? {};
				assert.equal(item?.from, padFelt(stark.account));
				const sending = {
					resource: 'transaction',
					operation: 'send',
					transaction: JSON.stringify(transaction),
				};
				assert.equal((await first('stark', sending)).transactionHash, transactionHash);
			},
			shown: {
				given: { transaction: '{{ $json.transaction }}' },
				outcome: { transaction: SIGNED_INVOKE, transactionHash: SIGNED_INVOKE_HASH },
			},
		},
		{
			resource: 'prepared',
			operation: 'sign',
			parameters: async (scene) => ({
				prepared: JSON.stringify(await preparePayment(scene, '0.002')),
			}),
			check: async ([item], { signerAddress, chain }) => {
				const serializedTransaction = item?.signedTransaction as `0x02${string}`;
				const from = await recoverTransactionAddress({ serializedTransaction });
				assert.deepEqual([item?.from, from], [signerAddress, signerAddress]);
				const sent = await chain('eth_sendRawTransaction', serializedTransaction);
				assert.equal(sent, item?.transactionHash);
			},
			shown: { given: { prepared: '{{ $json }}' } },
		},
		{
			resource: 'message',
			operation: 'sign',
			parameters: () => ({ message: GREETING }),
			check: async (items, { signerAddress, signerKey }) => {
				const account = privateKeyToAccount(signerKey);
				const signature = await account.signMessage({ message: GREETING });
				assert.deepEqual(items, [{ signature, signer: signerAddress }]);
			},
		},
		{
			resource: 'typedData',
			operation: 'sign',
			parameters: () => ({ typedData: JSON.stringify(MAIL) }),
			check: async (items, { signerAddress, signerKey }) => {
				const signature: Hex = await privateKeyToAccount(signerKey).signTypedData(MAIL);
				assert.deepEqual(items, [{ signature, signer: signerAddress }]);
			},
		},
		{
			resource: 'httpPayment',
			operation: 'sign',
			parameters: () => ({ paymentRequired: JSON.stringify(REQUIRED) }),
			check: async ([item], { signerAddress }) => {
				const headers = item?.headers as IDataObject;
				const header = Buffer.from(String(headers['PAYMENT-SIGNATURE']), 'base64').toString();
				const { accepted, payload } = JSON.parse(header) as { accepted: object; payload: never };
				assert.deepEqual(accepted, OFFER);
				const { authorization: message, signature } = payload as {
					authorization: never;
					signature: Hex;
				};
				const signer = await recoverTypedDataAddress({
					domain: { ...OFFER.extra, chainId: 31337, verifyingContract: OFFER.asset },
					types: AUTHORIZATION_TYPES,
					primaryType: 'TransferWithAuthorization',
					message,
					signature,
				});
				assert.deepEqual([signer, item?.amount], [signerAddress, '0.01']);
			},
			shown: {
				given: { paymentRequired: "{{ $json.headers['payment-required'] }}" },
				outcome: {
					headers: { 'PAYMENT-SIGNATURE': 'eyJ4NDAyVmVyc2lvbiI6Miwi…' },
					validBefore: '1795780000',
				},
			},
		},
		{
			resource: 'witnessTransaction',
			operation: 'sign',
			parameters: async (scene) => ({ transaction: JSON.stringify(await buildVote(scene)) }),
			check: ([item], { signerKey }) => {
				const { signature, ...unsigned } = item?.transaction as Signed;
				const { signature: expected } = utils.crypto.signTransaction(signerKey.slice(2), unsigned);
				assert.deepEqual(inLowerCase(signature), inLowerCase(expected));
			},
			shown: { given: { transaction: '{{ $json.transaction }}' } },
		},
	],
};
