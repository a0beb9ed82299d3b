import {
	encodeFunctionData,
	keccak256 as hashBytes,
	parseAbi,
	recoverAddress,
	serializeTransaction,
	type Hex,
	type TransactionSerializable,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { readSignedPayment } from '../../../../nodes/core/evm/signedPayment';
import { decodeSignedTransaction } from '../../../../nodes/core/evm/transactions/signed';
import { createChain } from '../../support/chains.mts';

const account = privateKeyToAccount(`0x${'46'.repeat(32)}`);
const to = '0x3535353535353535353535353535353535353535';
const token = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const abi = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function approve(address to, uint256 amount)',
]);

const common = { chainId: 8453, nonce: 200, gas: 90_000n, to, value: 10n ** 18n } as const;
const fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 3n } as const;
const accessList = [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }] as const;

const KINDS: Readonly<Record<string, TransactionSerializable>> = {
	legacy: { ...common, type: 'legacy', gasPrice: 5n },
	'legacy, for any chain': { ...common, chainId: undefined, type: 'legacy', gasPrice: 5n },
	'with an access list': { ...common, type: 'eip2930', gasPrice: 5n, accessList },
	'with two fees': { ...common, ...fees, type: 'eip1559', accessList },
	'with blobs': {
		...common,
		...fees,
		type: 'eip4844',
		maxFeePerBlobGas: 9n,
		blobVersionedHashes: [`0x01${'22'.repeat(31)}`],
	},
	'with authorizations': {
		...common,
		...fees,
		type: 'eip7702',
		authorizationList: [
			{ address: to, chainId: 8453, nonce: 1, r: `0x${'11'.repeat(32)}`, s: '0x12', yParity: 1 },
		],
	},
};

const asHex = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`;

describe.each(Object.entries(KINDS))('a transaction %s', (_, transaction) => {
	test('is decoded to what was signed', async () => {
		const signed = await account.signTransaction(transaction);
		const decoded = decodeSignedTransaction(signed);
		expect(decoded).toMatchObject({
			chainId: transaction.chainId === undefined ? undefined : 8453n,
			nonce: 200n,
			gas: 90_000n,
			to,
			value: 10n ** 18n,
			data: '0x',
		});
		expect(`0x${decoded?.signedHash.toString('hex')}`).toBe(
			hashBytes(serializeTransaction(transaction)),
		);
		const { r, s, yParity } = decoded!.signature;
		expect(
			await recoverAddress({
				hash: hashBytes(serializeTransaction(transaction)),
				signature: { r: asHex(r), s: asHex(s), yParity },
			}),
		).toBe(account.address);
	});

	test('is none where bytes are missing or too many', async () => {
		const signed = await account.signTransaction(transaction);
		for (const bytes of [signed.slice(0, -2), `${signed}00`, '0x', '0x02', '0x7102', '0xc0'])
			expect(decodeSignedTransaction(bytes)).toBeUndefined();
	});
});

/** A chain that has a single token, with six decimals. */
const chain = createChain((method, params) => {
	const [call] = params as ReadonlyArray<{ readonly to: string; readonly data: string }>;
	expect([method, call?.to.toLowerCase()]).toEqual(['eth_call', token.toLowerCase()]);
	if (call?.data === '0x313ce567') return asHex(6n);
	return `${asHex(32n)}${asHex(3n).slice(2)}${'555344'.padEnd(64, '0')}`;
});
const recover = () => account.address.slice(2).toLowerCase();
const nothing = { to: null, token: null, value: null, comment: null, symbol: null, decimals: null };
const read = async (more: object, reader = chain) =>
	await readSignedPayment(
		reader,
		await account.signTransaction({ ...common, ...fees, type: 'eip1559', ...more }),
		recover,
	);
const call = (functionName: 'transfer' | 'approve', more = '') => ({
	to: token,
	value: 0n,
	data: `${encodeFunctionData({ abi, functionName, args: [to, 5n] })}${more}`,
});

test('a payment of coins or of tokens is read from the bytes', async () => {
	const from = account.address;
	expect(await read({})).toEqual({ ...nothing, from, to, value: 10n ** 18n, decimals: 18 });
	expect(await read(call('transfer'))).toEqual({
		...nothing,
		from,
		to,
		token,
		value: 5n,
		symbol: 'USD',
		decimals: 6,
	});
});

test.each([
	['an approval', call('approve')],
	['a transfer with something behind it', call('transfer', '00')],
	['a transfer with coins along', { ...call('transfer'), value: 1n }],
	['a deployment', { to: undefined, data: '0x00' }],
])('%s is no payment', async (_, more) => {
	expect(await read(more)).toEqual({ ...nothing, from: account.address });
});

test('unknown facts of the token, the account or the kind are null', async () => {
	const silent = createChain(() => {
		throw new RequestFailure('gone');
	});
	expect(await read(call('transfer'), silent)).toMatchObject({ value: 5n, decimals: null });
	expect(await readSignedPayment(chain, '0x7100', recover)).toEqual({ ...nothing, from: null });
	const signed = await account.signTransaction({ ...common, ...fees, type: 'eip1559' });
	expect(await readSignedPayment(chain, signed, () => undefined)).toMatchObject({ from: null, to });
});
