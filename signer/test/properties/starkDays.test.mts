import fc from 'fast-check';
import { parseUnits } from 'viem';
import { STARK_ACCOUNT } from '../../../test/harness/sandbox.mts';
import { setClock } from '../support/clock.mts';
import { CASES, expectSame } from '../support/properties.mts';
import {
	buildInvoke,
	encodeCalls,
	encodeOlderCalls,
	runStarkSigner,
	signInvokes,
	SN_SEPOLIA,
	toAddress,
	toHex,
	TOKEN_FUNCTIONS,
	type Call,
} from '../support/stark.mts';
import { StarkAccount, type Cost, type SignedInvoke } from '../support/starkAccount.mts';

const NOW = '2026-11-24T12:00:00Z';

/**
 * The number of tested days. It grows only with the square root of the cases, because signing and verifying take a hundred times as long as
 * checking rules.
 */
const DAYS = Math.ceil(Math.sqrt(CASES));

const OWN = BigInt(STARK_ACCOUNT.accountAddress);
const [FRIEND, SPENDER, STRANGER] = [0xf1n, 0xf2n, 0xf3n];
const [TOKEN, OTHER_TOKEN, EXCHANGE] = [0xa1n, 0xa2n, 0xa4n];
const SN_MAIN = '0x534e5f4d41494e';

const DECIMALS = 18;
const STRK = 10n ** BigInt(DECIMALS);

const mostly = <T,>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
	fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });

const call = fc
	.record({
		to: mostly(fc.constant(TOKEN), fc.constantFrom(OTHER_TOKEN, EXCHANGE, OWN)),
		name: mostly(
			fc.constantFrom('transfer', 'approve', 'transfer_from', 'increase_allowance'),
			fc.constantFrom(...TOKEN_FUNCTIONS, 'burn', 'swap'),
		),
		owner: mostly(fc.constant(OWN), fc.constant(STRANGER)),
		party: mostly(fc.constantFrom(FRIEND, SPENDER), fc.constantFrom(OWN, STRANGER, 0n)),
		amount: mostly(fc.constantFrom(1n, 25n, 50n), fc.constantFrom(0n, 100n, 101n, 2n ** 128n - 1n)),
		high: mostly(fc.constant(0n), fc.constant(1n)),
	})
	.map(({ to, name, owner, party, amount, high }): Call => {
		if (name.startsWith('set')) return { to, name, calldata: [party, amount % 2n] };
		const isFrom = /^transfer_?from$/i.test(name);
		return { to, name, calldata: [...(isFrom ? [owner] : []), party, amount, high] };
	});

const bound = fc
	.tuple(fc.constantFrom(0n, 1n, 10n, 100n), fc.constantFrom(0n, STRK / 1000n, STRK / 100n))
	.map(([amount, price]) => ({ max_amount: toHex(amount), max_price_per_unit: toHex(price) }));

const invoke = fc
	.record({
		calls: fc.oneof(
			fc.array(call, { minLength: 1, maxLength: 3 }),
			fc
				.constantFrom(25n, 50n, 100n)
				.map((amount): readonly Call[] => [
					{ to: TOKEN, name: 'transfer', calldata: [FRIEND, amount, 0n] },
				]),
		),
		encode: mostly(fc.constant(encodeCalls), fc.constant(encodeOlderCalls)),
		nonce: mostly(fc.constantFrom(0n, 1n), fc.constantFrom(2n, 3n)),
		tip: fc.constantFrom(0n, 1n, STRK / 1000n),
		chainId: mostly(fc.constant(SN_SEPOLIA), fc.constant(SN_MAIN)),
		resource_bounds: fc.record({ l1_gas: bound, l2_gas: bound, l1_data_gas: bound }),
	})
	.map(({ calls, encode, nonce, tip, ...more }) => ({
		nonce,
		built: buildInvoke(calls, {
			...more,
			calldata: encode(calls).map(toHex),
			nonce: toHex(nonce),
			tip: toHex(tip),
		}),
	}));

const day = fc.record({
	maxFee: mostly(fc.constantFrom('0.1', '1', '3'), fc.constant('0')),
	daily: fc.constantFrom('1', '2', '2', '3'),
	tokenLimits: fc.constantFrom(
		`${toHex(TOKEN)} 100`,
		`${toHex(TOKEN)} 100`,
		`${toHex(TOKEN)} 50\n${toHex(OTHER_TOKEN)} 2.5 1`,
	),
	recipients: fc.constantFrom('', toAddress(FRIEND)),
	spenders: fc.constantFrom('', toHex(SPENDER)),
	contracts: fc.constantFrom('', '', toHex(EXCHANGE), '*'),
	invokes: fc.array(invoke, { minLength: 8, maxLength: 12 }),
});
type Day = typeof day extends fc.Arbitrary<infer Value> ? Value : never;

const credentialOf = ({ daily, invokes: _, ...rules }: Day) => ({
	chainIds: 'SN_SEPOLIA',
	...rules,
	dailyTransactions: daily,
	firstNonce: '0',
	firstDay: NOW.slice(0, 10),
});

async function readSentence(given: Day): Promise<string> {
	const asking = { resource: 'account', operation: 'getRules', kind: 'stark' };
	const { items, error } = await runStarkSigner(asking, { rules: credentialOf(given) });
	if (error) throw error;
	return String(items[0]?.json.worst);
}

/** Reads the figures from the sentence about the worst case, without knowing the rules. */
function readSaid(sentence: string) {
	const [, fee] = /([\d.]+) STRK a day/.exec(sentence) ?? [];
	if (fee === undefined && !/pay no fees|nothing signed/.test(sentence)) throw new Error(sentence);
	const clauses = sentence
		.split('. This person can ')
		.filter((one) => /^(At worst, .* can )?take /.test(one));
	const tokens = clauses.map((clause) => {
		const [, total = '', unit, token = ''] =
			/([\d.]+) (smallest units|tokens) of (0x[\da-f]+) a day/.exec(clause) ?? [];
		const [, names] =
			/\. Only these addresses can receive the tokens: ([\w, ]+)/.exec(clause) ?? [];
		const most = parseUnits(total, unit === 'tokens' ? 1 : 0);
		return [BigInt(token), { most, parties: names?.match(/0x\w+/g)?.map(BigInt) }] as const;
	});
	const named = [...sentence.matchAll(/call every function of (0x\w+)/g)];
	return {
		fee: parseUnits(fee ?? '0', DECIMALS),
		tokens: new Map(tokens),
		callable: new Set(named.map(([, contract = '']) => BigInt(contract))),
		isAnyCallable: sentence.includes('call any function of any contract except the account itself'),
	};
}
type Said = ReturnType<typeof readSaid>;

const isCallable = ({ callable, isAnyCallable }: Said, contract: bigint) =>
	callable.has(contract) || (isAnyCallable && contract !== OWN);

/** Yields the losses of a transaction that the sentence does not mention. */
function* findUnsaid({ tokens, parties, called }: Cost, said: Said): Generator<string> {
	for (const contract of called) if (!isCallable(said, contract)) yield `calls ${contract}`;
	for (const [token] of tokens)
		if (!said.tokens.has(token) && !isCallable(said, token)) yield `moves ${token}`;
	for (const [token, party] of parties) {
		const named = said.tokens.get(token)?.parties;
		if (named && party !== OWN && !named.includes(party)) yield `gives ${token} to ${party}`;
	}
}

const isWorse = (one: bigint | 'all', than: bigint | 'all') =>
	than !== 'all' && (one === 'all' || one > than);

/** Adds up the highest loss for each nonce, which the chain accepts only once. Expects that the sentence covers each signed transaction. */
function liveThrough(given: Day, all: readonly SignedInvoke[], said: Said) {
	let fees = 0n;
	const moved = new Map<bigint, bigint | 'all'>();
	for (const nonce of new Set(all.map((one) => BigInt(one.nonce)))) {
		const costs = all.flatMap((one) => new StarkAccount(SN_SEPOLIA, nonce).take(one) ?? []);
		for (const cost of costs) expectSame([...findUnsaid(cost, said)].join(), '', given);
		fees += costs.reduce((most, { fee }) => (fee > most ? fee : most), 0n);
		for (const token of said.tokens.keys()) {
			const amounts = costs.map(({ tokens }) => tokens.get(token) ?? 0n);
			const worst = amounts.reduce((most, one) => (isWorse(one, most) ? one : most));
			const before = moved.get(token) ?? 0n;
			moved.set(token, worst === 'all' || before === 'all' ? 'all' : before + worst);
		}
	}
	return { fees, moved };
}

const seen = { days: 0, signed: 0, refused: 0, tokens: 0 };

/** The time limit in milliseconds. It is long because CI tests many days while other steps use the processor. */
const MOST_MS = 30 * 60_000;

test(
	'whatever is signed in a day is worth no more than the sentence says, for an account of the reference client',
	async () => {
		await fc.assert(
			fc.asyncProperty(day, async (given) => {
				setClock(NOW);
				const sentence = await readSentence(given);
				const said = readSaid(sentence);
				const asked = given.invokes.map(({ built }) => built);
				const results = await signInvokes(asked, { rules: credentialOf(given) });
				const signed = results.flatMap(({ transaction }) => (transaction as SignedInvoke) ?? []);
				seen.days++;
				seen.signed += signed.length;
				seen.refused += asked.length - signed.length;
				const { fees, moved } = liveThrough(given, signed, said);
				const context = { rules: credentialOf(given), sentence, signed, fees, moved };
				expectSame(fees <= said.fee, true, context);
				for (const [token, sum] of moved) {
					const most = said.tokens.get(token)?.most ?? 0n;
					expectSame(!isWorse(sum, most), true, context);
					if (sum === most) seen.tokens++;
				}
			}),
			{ numRuns: DAYS, endOnFailure: true },
		);
		jest.restoreAllMocks();
		expect(seen.signed).toBeGreaterThan(seen.days / 2);
		expect(seen.refused).toBeGreaterThan(seen.days / 2);
		// At least one day must reach the stated sum exactly. Otherwise the sentence would exaggerate.
		expect(seen.tokens).toBeGreaterThan(0);
	},
	MOST_MS,
);
