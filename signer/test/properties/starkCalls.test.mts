import fc from 'fast-check';
import { hash } from 'starknet';
import { STARK_ACCOUNT } from '../../../test/harness/sandbox.mts';
import { judge } from '../../rules/judge';
import { decodeStarkInvoke } from '../../rules/stark';
import { parseStarkInvoke } from '../../../nodes/core/stark/unsigned';
import { parseStarkRules } from '../../rules/starkRules';
import { attempt, CASES, createTally, expectSame } from '../support/properties.mts';
import {
	buildInvoke,
	encodeCalls,
	encodeOlderCalls,
	isReadableByOlderAccounts,
	judgeCalls,
	PRIME,
	toAddress,
	toHex,
	TOKEN_FUNCTIONS,
	type Call,
} from '../support/stark.mts';

const OWN = BigInt(STARK_ACCOUNT.accountAddress);
const [FRIEND, SPENDER, STRANGER] = [0xf1n, 0xf2n, 0xf3n];
const [TOKEN, OTHER_TOKEN, EXCHANGE] = [0xa1n, 0xa2n, 0xa4n];
const LIMIT = 100n;

const RULES = parseStarkRules({
	chainIds: 'SN_SEPOLIA',
	maxFee: '1',
	tokenLimits: `${toHex(TOKEN)} ${LIMIT}`,
	recipients: toAddress(FRIEND),
	spenders: toHex(SPENDER),
	contracts: toHex(EXCHANGE),
});

const count = createTally();

function allowCalldata(calldata: readonly bigint[]): boolean {
	const invoke = attempt(() => {
		const parsed = parseStarkInvoke(buildInvoke([], { calldata: calldata.map(toHex) }));
		judge(RULES, decodeStarkInvoke(parsed), 0);
		return parsed;
	});
	if (invoke) expectSame(String(invoke.calldata), String(calldata), calldata);
	return invoke !== undefined;
}

/** Whether the rules of this test allow the calls. The calls are read by the reference client. */
function isAllowed(calldata: readonly bigint[]): boolean {
	if (calldata.some((felt) => felt >= PRIME) || isReadableByOlderAccounts(calldata)) return false;
	const calls = judgeCalls(calldata);
	if (!calls || calls.length === 0) return false;
	let moved = 0n;
	for (const { to, name, values } of calls) {
		if (name === undefined) {
			if (to !== EXCHANGE) return false;
			continue;
		}
		if (!values || (to !== TOKEN && to !== EXCHANGE)) return false;
		const isFrom = /^transfer_?from$/i.test(name);
		const [owner, party, value] = isFrom ? values : [OWN, ...values];
		const isOperator = /^set/.test(name);
		const amount = isOperator ? (value === true ? 'all' : 0n) : BigInt(String(value));
		if (to === TOKEN && (BigInt(String(owner)) !== OWN || isOperator)) return false;
		const takesBack =
			/^decrease/.test(name) ||
			(isOperator && amount === 0n) ||
			(name === 'approve' && (party === 0n || (amount === 0n && to === TOKEN)));
		const isReceived = /^transfer/.test(name);
		const isKnown = isReceived ? party === FRIEND || party === OWN : party === SPENDER;
		if (!takesBack && !isKnown) return false;
		if (to === TOKEN && amount !== 'all' && !/^decrease/.test(name)) moved += amount;
	}
	return moved <= LIMIT;
}

function expectJudged(calldata: readonly bigint[]): void {
	const isSigned = allowCalldata(calldata);
	count(isSigned);
	expectSame(isSigned, isAllowed(calldata), calldata.map(toHex).join());
}

const call = (to: bigint, name: string, ...calldata: bigint[]): Call => ({ to, name, calldata });

const parties = fc.constantFrom(FRIEND, FRIEND, SPENDER, SPENDER, OWN, STRANGER, 0n);
const amounts = fc.oneof(
	{ weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 60n }) },
	fc.constantFrom(0n, LIMIT, LIMIT + 1n, 2n ** 128n - 1n),
);

const tokenCalls = fc
	.record({
		to: fc.constantFrom(TOKEN, TOKEN, TOKEN, EXCHANGE, OTHER_TOKEN),
		name: fc.constantFrom(...TOKEN_FUNCTIONS),
		owner: fc.constantFrom(OWN, OWN, STRANGER),
		party: parties,
		amount: amounts,
		high: fc.constantFrom(0n, 0n, 0n, 0n, 0n, 1n),
	})
	.map(({ to, name, owner, party, amount, high }): Call => {
		if (name.startsWith('set')) return call(to, name, party, amount % 2n);
		const isFrom = /^transfer_?from$/i.test(name);
		return call(to, name, ...(isFrom ? [owner] : []), party, amount, high);
	});

/** Data for an unknown function: small numbers, or the encoding of token calls. */
const otherData = fc.oneof(
	fc.array(fc.bigInt({ min: 0n, max: 9n }), { maxLength: 4 }),
	fc.array(tokenCalls, { maxLength: 2 }).map(encodeCalls),
	fc.array(tokenCalls, { maxLength: 2 }).map(encodeOlderCalls),
);

const otherCalls = fc
	.record({
		to: fc.constantFrom(EXCHANGE, EXCHANGE, EXCHANGE, TOKEN, OWN),
		name: fc.constantFrom('swap', 'upgrade', 'burn'),
		calldata: otherData,
	})
	.map(({ to, name, calldata }): Call => call(to, name, ...calldata));

/** Several small payments in a limited token, because only their sum may exceed the limit. */
const payments = fc.array(
	fc.bigInt({ min: 0n, max: 40n }).map((amount) => call(TOKEN, 'transfer', FRIEND, amount, 0n)),
	{ minLength: 1, maxLength: 5 },
);

const lists = fc.oneof(
	fc.array(fc.oneof({ weight: 4, arbitrary: tokenCalls }, otherCalls), {
		minLength: 1,
		maxLength: 3,
	}),
	payments,
);

test('calls of accounts of both kinds: those are signed that the reference client reads as allowed, and no others', () => {
	const encodings = fc.constantFrom(encodeCalls, encodeCalls, encodeCalls, encodeOlderCalls);
	const calldatas = fc.tuple(lists, encodings).map(([calls, encode]) => encode(calls));
	fc.assert(fc.property(calldatas, expectJudged));
});

const ODD_FELTS = [
	0n,
	1n,
	2n,
	3n,
	4n,
	FRIEND,
	STRANGER,
	TOKEN,
	2n ** 64n,
	2n ** 128n - 1n,
	2n ** 128n,
	2n ** 251n - 256n,
	PRIME - 1n,
	PRIME,
	PRIME + 1n,
];

/** Changes to a value, or to the number of values, that may mislead a reader of calldata. */
const mutations = fc.record({
	way: fc.constantFrom('set', 'add', 'less', 'wrap', 'drop', 'insert', 'append', 'swap', 'repeat'),
	at: fc.nat({ max: 40 }),
	felt: fc.constantFrom(...ODD_FELTS),
});

type Mutation = typeof mutations extends fc.Arbitrary<infer Value> ? Value : never;

function mutate(calldata: readonly bigint[], { way, at, felt }: Mutation): bigint[] {
	const changed = [...calldata];
	const index = at % changed.length;
	const old = changed[index] ?? 0n;
	if (way === 'set') changed[index] = felt;
	if (way === 'add') changed[index] = old + 1n;
	if (way === 'less' && old > 0n) changed[index] = old - 1n;
	if (way === 'wrap') changed[index] = old + PRIME;
	if (way === 'drop') changed.splice(index, 1);
	if (way === 'insert') changed.splice(index, 0, felt);
	if (way === 'append') changed.push(felt);
	if (way === 'swap') changed.push(...changed.splice(index, 1));
	if (way === 'repeat') changed.push(...changed.slice(index));
	return changed;
}

test('the same holds for calldata that was tampered with', () => {
	const changed = fc
		.tuple(lists, fc.array(mutations, { minLength: 1, maxLength: 3 }))
		.map(([calls, changes]) => changes.reduce(mutate, encodeCalls(calls)));
	fc.assert(fc.property(changed, expectJudged));
});

const TRANSFER = BigInt(hash.getSelectorFromName('transfer'));

/** Calldata with two meanings: an older account would read the data of the first call as a second call, to a token. */
const twoFaced = fc
	.record({
		first: fc.bigInt({ min: 0n, max: 2n }),
		offset: fc.oneof(
			fc.bigInt({ min: 0n, max: 12n }),
			fc.bigInt({ min: PRIME - 12n, max: PRIME - 1n }),
		),
		length: fc.constantFrom(0n, 3n, 3n, 3n),
		total: fc.bigInt({ min: 6n, max: 11n }),
		party: parties,
		more: fc.array(fc.bigInt({ min: 0n, max: 9n }), { maxLength: 4 }),
	})
	.map(({ first, offset, length, total, party, more }) => {
		const data = [first, TOKEN, TRANSFER, offset, length, total, party, 900n, 0n];
		return encodeCalls([call(EXCHANGE, 'swap', ...data), call(EXCHANGE, 'swap', ...more)]);
	});

test('what both kinds of accounts could read is signed for neither', () => {
	const readings = { one: 0, both: 0 };
	fc.assert(
		fc.property(twoFaced, (calldata) => {
			readings[isReadableByOlderAccounts(calldata) ? 'both' : 'one']++;
			expectJudged(calldata);
		}),
	);
	expect(readings.one).toBeGreaterThan(CASES / 50);
	expect(readings.both).toBeGreaterThan(CASES / 50);
});
