import assert from 'node:assert/strict';
import { TronWeb, utils } from 'tronweb';
import { keccak256, recoverTransactionAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { REMOTE_ADDRESS, TEST_ADDRESS, TEST_KEY } from '../../../demo/run/credentials.mts';
import { line, ours, resultOf, type Access, type Parameters } from '../workflows.mts';
import { demo } from '../world.mts';
import type { Case, Json } from './case.mts';

/** The account of the demo's signer, in another library. */
export const signing = privateKeyToAccount(TEST_KEY);

const byKey = { type: 'signer', accesses: ['key'] } as const;

const GREETING = 'I am the owner of this account';
const MAIL = {
	types: { Mail: [{ name: 'contents', type: 'string' }] },
	primaryType: 'Mail',
	domain: { name: 'Mail', chainId: 31337 },
	message: { contents: 'Hello' },
} as const;

const addressOf = (access: Access) => (access === 'remote' ? REMOTE_ADDRESS : TEST_ADDRESS);

/** A payment of one of the demo's signers, as Prepare returns it. */
export async function payment(access: Access, amount: string): Promise<Json> {
	const parameters = {
		resource: 'transaction',
		operation: 'prepare',
		from: addressOf(access),
		to: demo.chain.other,
		amount,
	};
	const [item] = await resultOf(line(ours('evmRpc', 'token', parameters)));
	return item ?? {};
}

/** A freeze of the demo's signer, as Chain Witness Wallet builds it. */
async function freeze(): Promise<Parameters> {
	const [transaction] = await resultOf(
		line(
			ours('witnessWallet', 'token', {
				resource: 'transaction',
				operation: 'buildFreeze',
				ownerAddress: witnessAddress(),
				amount: '1',
			}),
		),
	);
	return { transaction: JSON.stringify(transaction) };
}

const witnessAddress = () => String(TronWeb.address.fromPrivateKey(TEST_KEY.slice(2)));

const whatBothDo = (access: 'key' | 'remote'): Case[] => [
	{
		type: 'signer',
		resource: 'account',
		operation: 'get',
		accesses: [access],
		check: ([item]) => {
			const { evm, witnessBase58, witnessHex } = item ?? {};
			assert.equal(evm, addressOf(access));
			assert.equal(witnessHex, `41${addressOf(access).slice(2).toLowerCase()}`);
			assert.equal(witnessBase58, TronWeb.address.fromHex(String(witnessHex)));
		},
	},
	{
		type: 'signer',
		resource: 'transaction',
		operation: 'sign',
		accesses: [access],
		parameters: async () => ({ transaction: JSON.stringify(await payment(access, '0.001')) }),
		check: async ([item]) => {
			const serializedTransaction = item?.signedTransaction as `0x02${string}`;
			const from = await recoverTransactionAddress({ serializedTransaction });
			assert.deepEqual([item?.from, from], [from, addressOf(access)]);
			assert.equal(item?.transactionHash, keccak256(serializedTransaction));
			const sent = await demo.sandbox.chain('eth_sendRawTransaction', serializedTransaction);
			assert.equal(sent, item?.transactionHash);
		},
	},
];

export const signer: readonly Case[] = [
	...whatBothDo('key'),
	...whatBothDo('remote'),
	{
		...byKey,
		resource: 'message',
		operation: 'sign',
		parameters: () => ({ message: GREETING }),
		check: async (items) => {
			const signature = await signing.signMessage({ message: GREETING });
			assert.deepEqual(items, [{ signature, signer: TEST_ADDRESS }]);
		},
	},
	{
		...byKey,
		resource: 'typedData',
		operation: 'sign',
		parameters: () => ({ typedData: JSON.stringify(MAIL) }),
		check: async (items) => {
			const signature: Hex = await signing.signTypedData(MAIL);
			assert.deepEqual(items, [{ signature, signer: TEST_ADDRESS }]);
		},
	},
	{
		...byKey,
		resource: 'witnessTransaction',
		operation: 'sign',
		parameters: freeze,
		check: ([item]) => {
			const { signature, ...unsigned } = item as unknown as Signed;
			const { signature: expected } = utils.crypto.signTransaction(TEST_KEY.slice(2), unsigned);
			assert.deepEqual(
				signature.map((one) => one.toLowerCase()),
				expected.map((one) => one.toLowerCase()),
			);
		},
	},
];

type Signed = ReturnType<typeof utils.crypto.signTransaction>;
