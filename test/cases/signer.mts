import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { TronWeb, utils } from 'tronweb';
import { keccak256, recoverTransactionAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
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

type Signed = ReturnType<typeof utils.crypto.signTransaction>;

/** A payment of the scene's signer as Prepare gives it. */
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

/** A payment of the scene's payer on the TON chain. */
async function prepareTransfer({ first, ton }: Scene): Promise<IDataObject> {
	const payment = { from: ton.payer, to: ton.receiver, amount: '0.01' };
	return await first('ton', { resource: 'transaction', operation: 'prepare', ...payment });
}

/** A payment of the scene's account on the STARK rollup. */
async function prepareInvoke({ first, stark }: Scene): Promise<IDataObject> {
	const payment = { from: stark.account, token: stark.token, to: stark.receiver, amount: '0.01' };
	return await first('stark', { resource: 'transaction', operation: 'prepare', ...payment });
}

/** A vote of the scene's signer as Chain Witness Wallet builds it. */
async function buildVote({ first, signerKey }: Scene): Promise<IDataObject> {
	return await first('witnessWallet', {
		resource: 'witness',
		operation: 'vote',
		ownerAddress: String(TronWeb.address.fromPrivateKey(signerKey.slice(2))),
		votes: { vote: [{ voteAddress: LEADER, voteCount: '5' }] },
	});
}

const inLowerCase = (signatures: readonly string[]) => signatures.map((one) => one.toLowerCase());

/** A signed payment, whose fee and signature differ each time, as the sample shows it. */
const SIGNED_INVOKE = {};
const SIGNED_INVOKE_HASH = '0x0';

/** The bytes of a signed transfer, which hold the time of its making, as the sample shows them. */
const SIGNED_TRANSFER =
	'te6cckEBBAEAtgAB5YgBe1qsP2oXWxh9U4jlDv1kJZ6iUZIFvC+8smn60XijIygDm0s7c///+ItYLTvIAAAAHWgDPegFI8beyxlyT9bpMKN5BzXzh3odaDnhWAHcWb/OTKMtsV05T4NmM6n6HJO3nCH7u5T14whH0zqNj/JPFBEBAgoOw8htAwIDAAAAZkIAAGB+sMfKpmmESkEyY/s3WXWprb8U+c/35LFdGatF1ZGcxLQAAAAAAAAAAAAAAAAAALvWXe0=';
const SIGNED_TRANSFER_HASH = '5bf0d9feacf45cc146f4bc51236e2cf2669f4dede54d6459424db9e9652a0ec5';

export const signer: NodeCases = {
	node: 'signer',
	accesses: ['key', 'remote'],
	noSchemas: 'its package brings none yet',
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
				assert.equal(item?.from, `0x${stark.account.slice(2).padStart(64, '0')}`);
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
			resource: 'witnessTransaction',
			operation: 'sign',
			parameters: async (scene) => ({ transaction: JSON.stringify(await buildVote(scene)) }),
			check: ([item], { signerKey }) => {
				const { signature, ...unsigned } = item as unknown as Signed;
				const { signature: expected } = utils.crypto.signTransaction(signerKey.slice(2), unsigned);
				assert.deepEqual(inLowerCase(signature), inLowerCase(expected));
			},
			shown: { given: { transaction: '{{ $json }}' } },
		},
	],
};
