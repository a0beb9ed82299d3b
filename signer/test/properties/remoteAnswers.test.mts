import { secp256k1 } from '@noble/curves/secp256k1';
import fc from 'fast-check';
import {
	bytesToHex,
	hexToBytes,
	keccak256,
	parseEther,
	parseTransaction,
	recoverTransactionAddress,
	serializeTransaction,
	type Hex,
	type TransactionSerializable,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseSecp256k1Rules } from '../../rules/rules';
import { verifySigned } from '../../nodes/core/remoteSigner';
import { ADDRESS, CONTRACT, FRIEND, KEY, STRANGER } from '../support/accounts.mts';
import {
	account,
	allowTransaction,
	attempt,
	createTally,
	expectSame,
	keys,
} from '../support/properties.mts';

const rules = parseSecp256k1Rules({
	chainIds: '1, 31337',
	maxAmount: '1',
	maxFee: '0.01',
	contracts: '*',
	allowDeployments: true,
});
const thief = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const ORDER = secp256k1.CURVE.n;
const HALF_ORDER = ORDER / 2n;

const common = { gas: 60_000n, value: 5n, to: FRIEND as Hex, nonce: 3, chainId: 31337 };
const accessList = [{ address: CONTRACT as Hex, storageKeys: [`0x${'1'.repeat(64)}` as Hex] }];
const fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 1n };

/** The transactions that the remote signer is asked to sign, in the form of viem. */
const ASKED: readonly TransactionSerializable[] = [
	{ type: 'eip1559', ...common, ...fees },
	{ type: 'eip1559', ...common, ...fees, accessList, data: '0x12345678' },
	{ type: 'eip1559', ...common, ...fees, nonce: 0, value: 0n, chainId: 1, data: '0x00' },
	{ type: 'eip1559', ...common, ...fees, to: null, data: '0x6000', gas: 100_000n },
	{ type: 'eip2930', ...common, gasPrice: 9n, accessList },
	{ type: 'legacy', ...common, gasPrice: 9n },
	{ type: 'legacy', ...common, gasPrice: 9n, chainId: 1, value: parseEther('1') },
];

const toText = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

function allow(asked: TransactionSerializable) {
	const { type, ...rest } = asked;
	const texts = Object.entries(rest).map(([name, value]) => [name, toText(value)]);
	const number = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' }[String(type)];
	return allowTransaction({ ...Object.fromEntries(texts), type: number }, rules)!;
}

const allowed = ASKED.map(allow);

type Forge = (asked: TransactionSerializable, at: number) => Promise<unknown> | unknown;

/** Signs with a different nonce of ECDSA. The result is another valid signature of the same transaction. */
function signOtherwise(asked: TransactionSerializable, at: number, key: Hex, isHigh: boolean): Hex {
	const hash = hexToBytes(keccak256(serializeTransaction(asked)));
	const extraEntropy = hexToBytes(keccak256(`0x${at.toString(16).padStart(8, '0')}`));
	const { r, s, recovery } = secp256k1.sign(hash, key.slice(2), { extraEntropy, lowS: true });
	return serializeWith(asked, r, isHigh ? ORDER - s : s, isHigh ? 1 - recovery : recovery);
}

function serializeWith(asked: TransactionSerializable, r: bigint, s: bigint, yParity: number): Hex {
	const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
	const signature = { r: word(r), s: word(s), yParity, v: BigInt(27 + yParity) };
	return serializeTransaction(asked, signature as never);
}

const honest: Forge = async (asked) => await account.signTransaction(asked);

/** Changes of one field. The right key signs the changed transaction, so the signature does not fit the one that was asked for. */
const CHANGES: readonly object[] = [
	{ to: STRANGER },
	{ value: 6n },
	{ value: 0n },
	{ nonce: 4 },
	{ chainId: 5 },
	{ gas: 60_001n },
	{ data: '0x' },
	{ data: '0x095ea7b3' },
	{ accessList: [] },
	{ gasPrice: 8n },
	{ maxFeePerGas: 8n },
	{ maxPriorityFeePerGas: 0n },
	{ type: 'legacy', gasPrice: 9n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined },
	{ type: 'eip1559', gasPrice: undefined, maxFeePerGas: 9n, maxPriorityFeePerGas: 9n },
];

/** Signs a changed transaction. Returns null if viem refuses it, because its fees belong to another type. */
async function signChanged(changed: TransactionSerializable): Promise<Hex | null> {
	return await account.signTransaction(changed).catch(() => null);
}

const forge: fc.Arbitrary<Forge> = fc.oneof(
	fc.constant(honest),
	fc.constant<Forge>((asked, at) => signOtherwise(asked, at, KEY, false)),
	fc.constant<Forge>((asked, at) => signOtherwise(asked, at, KEY, true)),
	fc.constant<Forge>(async (asked) => await thief.signTransaction(asked)),
	fc.constantFrom(...CHANGES).map(
		(change): Forge =>
			async (asked) =>
				await signChanged({ ...asked, ...change } as TransactionSerializable),
	),
	fc.tuple(fc.bigInt(0n, ORDER), fc.bigInt(0n, ORDER), fc.nat({ max: 1 })).map(
		([r, s, yParity]): Forge =>
			(asked) =>
				serializeWith(asked, r, s, yParity),
	),
	fc.nat({ max: ASKED.length - 1 }).map(
		(other): Forge =>
			async () =>
				await account.signTransaction(ASKED[other]!),
	),
	fc.constant<Forge>((asked) => serializeTransaction(asked)),
	fc.anything({ withBigInt: false }).map(
		(junk): Forge =>
			() =>
				junk,
	),
);

/** Ways to change or wrap the text of a signed transaction. */
const TWISTS: ReadonlyArray<(raw: string, at: number) => unknown> = [
	(raw) => ({ raw }),
	(raw) => ({ raw: [raw] }),
	(raw) => ({ raw, tx: { to: STRANGER } }),
	(raw) => [raw],
	(raw) => raw.toUpperCase(),
	(raw) => `0x${raw.slice(2).toUpperCase()}`,
	(raw) => raw.slice(2),
	(raw) => ` ${raw}`,
	(raw) => `${raw}\n`,
	(raw) => `${raw}00`,
	(raw) => raw + raw.slice(2),
	(raw) => raw.slice(0, -2),
	(raw) => `0x01${raw.slice(4)}`,
	(raw) => `0x02${raw.slice(2)}`,
	(raw, at) => {
		const index = 2 + (at % Math.max(raw.length - 2, 1));
		const digit = (Number.parseInt(raw[index] ?? '0', 16) ^ (1 << at % 4)).toString(16);
		return raw.slice(0, index) + digit + raw.slice(index + 1);
	},
	(raw, at) => {
		const index = 2 + 2 * (at % Math.max(raw.length / 2 - 1, 1));
		return `${raw.slice(0, index)}00${raw.slice(index)}`;
	},
];

const cases = fc.record({
	at: fc.nat({ max: ASKED.length - 1 }),
	seed: fc.nat(),
	forge,
	twist: fc.option(fc.constantFrom(...TWISTS), { freq: 2 }),
});

const count = createTally();

test('forged answers of a remote signer: what is passed on is the transaction that was asked for, signed by the right account', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async ({ at, forge: make, seed, twist }) => {
			const asked = ASKED[at]!;
			const made = await make(asked, seed);
			const answer = twist && typeof made === 'string' ? twist(made, seed) : made;
			const passed = attempt(() => verifySigned(keys, allowed[at]!, answer));
			count(passed !== undefined);
			const about = { at, answer };
			if (passed === undefined) {
				expectSame(make === honest && answer === made, false, about);
				return;
			}
			const serialized = passed.signedTransaction as Hex;
			const { r, s, v: _v, yParity: _yParity, ...rest } = parseTransaction(serialized);
			expectSame(serializeTransaction(rest), serializeTransaction(asked), about);
			expectSame(BigInt(r!) > 0n && BigInt(s!) <= HALF_ORDER, true, about);
			expectSame(passed.transactionHash, keccak256(serialized), about);
			expectSame(bytesToHex(allowed[at]!.unsigned), serializeTransaction(asked), about);
			const signer = await recoverTransactionAddress({
				serializedTransaction: serialized as `0x02${string}`,
			});
			expectSame(signer, ADDRESS, about);
		}),
	);
});
