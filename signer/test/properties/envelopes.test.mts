import fc from 'fast-check';
import type { Hex, TransactionSerializable } from 'viem';
import { signAllowedTransaction } from '../../nodes/core/secp256k1Signer';
import { parseSecp256k1Rules } from '../../rules/rules';
import { ADDRESS, CONTRACT, FRIEND, STRANGER } from '../support/accounts.mts';
import { setClock } from '../support/clock.mts';
import { leastGas } from '../support/judge.mts';
import {
	account,
	allowTransaction,
	createTally,
	expectSame,
	key,
	keys,
	readNumber,
} from '../support/properties.mts';

afterEach(() => jest.restoreAllMocks());

const count = createTally();

type JsonRecord = Readonly<Record<string, unknown>>;

/** Mostly generates the usual value, so that each case has only a few unusual parts. */
const mostly = <T,>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.constant(usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...others) },
	);

const SLOT = `0x${'1'.repeat(64)}` as const;
const LISTS: readonly unknown[] = [
	null,
	[],
	[{ address: CONTRACT, storageKeys: [] }],
	[{ address: CONTRACT, storageKeys: [SLOT, SLOT] }],
	[{ address: CONTRACT, storageKeys: [SLOT, '0x12'] }],
	[{ address: CONTRACT }],
	{ 0: { address: CONTRACT, storageKeys: [] }, length: 1 },
];

/** Members of other kinds of transactions, and other names of members that are signed. */
const FOREIGN: readonly JsonRecord[] = [
	{ authorizationList: [{ address: STRANGER, chainId: 1, nonce: 0 }] },
	{ authorizationList: [] },
	{ blobVersionedHashes: [SLOT] },
	{ maxFeePerBlobGas: '1' },
	{ input: '0x12345678' },
	{ gasLimit: '99' },
	{ To: STRANGER },
	{ yParity: '0x0' },
	{ from: STRANGER },
	{ from: ADDRESS.toLowerCase() },
	{ from: null },
	{ to: null },
	{ to: '' },
	{ to: null, data: '0x6000' },
	{ to: null, data: '0x6000', value: '1' },
	{ data: '0x12345678' },
	{ data: '0X' },
	{ value: null },
	JSON.parse('{"__proto__":{"value":"1"}}') as JsonRecord,
	JSON.parse('{"constructor":"1"}') as JsonRecord,
];

const prices = fc.record(
	{
		gasPrice: mostly('7', '0x7', '1000000000000', null),
		maxFeePerGas: mostly('7', '1000000000000', '1'),
		maxPriorityFeePerGas: mostly('2', '8', '0x0'),
	},
	{ requiredKeys: [] },
);

const FIRST_NONCE = 40n;
const transaction: fc.Arbitrary<JsonRecord> = fc
	.record({
		type: mostly<unknown>(undefined, 0, '0x1', '0x2', 2, '0x02', 3, '0x3', 4, '0x4', 5, '', null),
		chainId: mostly<unknown>('31337', '0x7a69', 1, '0'),
		nonce: fc.bigInt({ min: FIRST_NONCE - 1n, max: FIRST_NONCE + 12n }).map(String),
		gas: mostly<unknown>(
			'60000',
			'21000',
			20_999,
			'23400',
			'27199',
			'27200',
			'53000',
			'53027',
			'10000000',
		),
		accessList: mostly<unknown>(undefined, ...LISTS),
		prices: fc.oneof(
			fc.constantFrom<JsonRecord>(
				{ gasPrice: '7' },
				{ maxFeePerGas: '7', maxPriorityFeePerGas: '2' },
			),
			prices,
		),
		foreign: mostly<JsonRecord>({}, ...FOREIGN),
	})
	.map(({ prices: price, foreign, ...rest }) => ({
		to: FRIEND,
		value: '1000',
		data: '0x',
		...rest,
		...price,
		...foreign,
	}));

/** The fields beside the transaction. */
const BESIDE: readonly JsonRecord[] = [
	{ to: STRANGER, value: '99' },
	{ maxCost: '0' },
	{ unsignedTransaction: '0x12' },
	{ signingHash: SLOT },
	{ unsignedTransaction: null },
];
/** These fields contradict the transaction. */
const CONTRADICTING = ['to', 'unsignedTransaction', 'signingHash'];

type Wrap = (given: JsonRecord, beside: JsonRecord) => JsonRecord;
const WRAPS: readonly Wrap[] = [
	(given, beside) => ({ ...beside, transaction: given }),
	(given, beside) => ({ ...beside, transaction: JSON.stringify(given) }),
	(given, beside) => ({ ...beside, transaction: [given] }),
	(given, beside) => ({ ...beside, transaction: { transaction: given } }),
];

/** Daily limits on transactions, and times near the ends of days. */
const budget = fc.record({
	daily: fc.integer({ min: 1, max: 4 }),
	firstDay: fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-02'),
	now: fc.constantFrom(
		'2026-02-27T23:59:59.999Z',
		'2026-02-28T00:00:00.000Z',
		'2026-02-28T23:59:59.999Z',
		'2026-03-01T00:00:00.000Z',
		'2026-03-01T23:59:59.999Z',
		'2026-03-03T00:00:00.000Z',
	),
});

const DAYS = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'];

/** Computes the first nonce that is not allowed yet by counting the days one by one. */
function endOfNonces(daily: number, firstDay: string, now: string): bigint {
	const today = DAYS.indexOf(now.slice(0, 10));
	const counted = DAYS.filter((_, at) => at >= DAYS.indexOf(firstDay) && at <= today);
	return FIRST_NONCE + BigInt(daily * counted.length);
}

const LEGACY_FEES = ['gasPrice'];
const DYNAMIC_FEES = ['maxFeePerGas', 'maxPriorityFeePerGas'];
const COMMON = ['type', 'chainId', 'from', 'to', 'nonce', 'gas', 'value', 'data', 'accessList'];
const NAMES = [...COMMON, ...LEGACY_FEES, ...DYNAMIC_FEES];

/**
 * Returns the transaction that a careful reader would sign, in the form of viem. Returns undefined if the input is unclear or no
 * transaction.
 */
function readCarefully(given: JsonRecord): TransactionSerializable | undefined {
	if (Object.keys(given).some((name) => !NAMES.includes(name))) return undefined;
	const { to, data, accessList } = given;
	const has = (name: string) => given[name] !== undefined;
	const named = has('type') ? readNumber(given.type) : undefined;
	if (has('type') && (named === undefined || named > 2n)) return undefined;
	const implied = has('maxFeePerGas') ? 2n : accessList ? 1n : 0n;
	const type = named ?? implied;
	const isDynamic = type === 2n;
	const [wanted, unwanted] = isDynamic ? [DYNAMIC_FEES, LEGACY_FEES] : [LEGACY_FEES, DYNAMIC_FEES];
	if (unwanted.some(has) || (type === 0n && has('accessList'))) return undefined;
	const names = ['chainId', 'nonce', 'gas', 'value', ...wanted];
	const numbers = Object.fromEntries(names.map((name) => [name, readNumber(given[name])]));
	if (Object.values(numbers).includes(undefined)) return undefined;
	const isSender = [undefined, null, ADDRESS, ADDRESS.toLowerCase()].includes(given.from as string);
	if (!isSender || !/^0x([\da-f]{2})*$/i.test(String(data)) || to === '') return undefined;
	if (to === null && data === '0x') return undefined;
	const list = accessList ?? [];
	if (!Array.isArray(list) || !list.every(isEntry)) return undefined;
	return {
		...numbers,
		type: (['legacy', 'eip2930', 'eip1559'] as const)[Number(type)]!,
		chainId: Number(numbers.chainId),
		nonce: Number(numbers.nonce),
		to: to as Hex,
		data: String(data).toLowerCase() as Hex,
		...(type > 0n && { accessList: list }),
	} as TransactionSerializable;
}

const isEntry = ({ address, storageKeys }: JsonRecord) =>
	address === CONTRACT &&
	Array.isArray(storageKeys) &&
	storageKeys.every((one) => String(one).length === SLOT.length);

test('transactions of all kinds, in any wrapping and on any day: signed is what a careful reader takes them for, within the rules', async () => {
	const wrap = mostly<Wrap>((given) => given, ...WRAPS);
	const beside = mostly<JsonRecord>({}, ...BESIDE);
	await fc.assert(
		fc.asyncProperty(transaction, wrap, beside, budget, async (parts, wrapped, more, clock) => {
			// The conversion to JSON removes members that are undefined.
			const given = JSON.parse(JSON.stringify(parts)) as JsonRecord;
			const item = wrapped(given, more);
			setClock(clock.now);
			const rules = parseSecp256k1Rules({
				chainIds: '31337',
				maxAmount: '0.000000000000001',
				maxFee: '0.0000001',
				recipients: FRIEND,
				allowDeployments: true,
				dailyTransactions: clock.daily,
				firstNonce: String(FIRST_NONCE),
				firstDay: clock.firstDay,
			});
			const isReadable =
				item === given ||
				((item.transaction === given || typeof item.transaction === 'string') &&
					!CONTRADICTING.some((name) => name in more));
			const careful = isReadable ? readCarefully(given) : undefined;
			const isAllowed = careful !== undefined && breaksNothing(careful, clock);
			const allowed = allowTransaction(item, rules);
			const about = { item, clock };
			expectSame(allowed !== undefined, isAllowed, about);
			count(isAllowed);
			if (allowed === undefined) return;
			expectSame(
				signAllowedTransaction(keys, key, allowed).signedTransaction,
				await account.signTransaction(careful!),
				about,
			);
		}),
	);
});

function breaksNothing(
	{ chainId, nonce, gas = 0n, value = 0n, to, data = '0x', ...rest }: TransactionSerializable,
	{ daily, firstDay, now }: { daily: number; firstDay: string; now: string },
): boolean {
	const price = rest.gasPrice ?? rest.maxFeePerGas ?? 0n;
	const accessList = (rest.accessList ?? []) as never;
	return (
		chainId === 31337 &&
		BigInt(nonce!) < endOfNonces(daily, firstDay, now) &&
		value <= 1000n &&
		gas * price <= 100_000_000_000n &&
		gas >= leastGas({ to: to ?? undefined, data, accessList }) &&
		(rest.maxPriorityFeePerGas ?? 0n) <= price &&
		(to === null ? value === 0n : to === FRIEND && data === '0x')
	);
}
