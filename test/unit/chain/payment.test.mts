import fc from 'fast-check';
import { formatUnits, parseUnits } from 'viem';
import {
	createKeyMaker,
	createLeastAmount,
	formatPayment,
} from '../../../nodes/core/chain/payment';
import { parseWholeAmount } from '../../../nodes/core/values/units';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261127), numRuns: getCaseCount(300) });

const letter = fc.constantFrom('a', 'b');
/** Random blocks of payments, many of which are equal. */
const anyBlocks = fc.array(
	fc.array(fc.array(fc.tuple(letter, letter, fc.nat(2)), { maxLength: 5 }), { maxLength: 3 }),
	{ maxLength: 4 },
);

type Said = readonly [from: string, to: string, value: number];

interface Place {
	readonly block: number;
	readonly transaction: number;
	readonly said: Said;
}

const listPlaces = (blocks: ReadonlyArray<ReadonlyArray<readonly Said[]>>) =>
	blocks.flatMap((transactions, block) =>
		transactions.flatMap((all, at) =>
			all.map((said): Place => ({ block, transaction: 10 * block + at, said })),
		),
	);

function makeKeys(places: readonly Place[], blockOf = ({ block }: Place) => block) {
	const makeKey = createKeyMaker();
	return places.map((place) =>
		makeKey({
			block: blockOf(place),
			transactionHash: `0xT${place.transaction}`,
			says: place.said,
		}),
	);
}

describe('keys of payments', () => {
	test('are unique, short, and in lower case', () => {
		fc.assert(
			fc.property(anyBlocks, (blocks) => {
				const keys = makeKeys(listPlaces(blocks));
				expect(new Set(keys).size).toBe(keys.length);
				for (const key of keys) expect(key).toMatch(/^0xt\d+:[0-9a-f]{32}$/);
			}),
		);
	});

	test('are the same whichever other payments are read, and in whichever block they stand', () => {
		fc.assert(
			fc.property(anyBlocks, letter, fc.nat(1000), (blocks, party, moved) => {
				const all = listPlaces(blocks);
				const keys = makeKeys(all);
				const isWanted = ({ said: [from, to] }: Place) => from === party || to === party;
				expect(makeKeys(all.filter(isWanted))).toEqual(keys.filter((_, at) => isWanted(all[at]!)));
				expect(makeKeys(all, ({ block }) => block + moved)).toEqual(keys);
			}),
		);
	});
});

describe('the least amount', () => {
	test('is compared exactly, whatever decimals a token has', () => {
		const anyWhole = fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.nat(20));
		fc.assert(
			fc.property(
				fc.bigInt(0n, 2n ** 256n - 1n),
				fc.nat(30),
				anyWhole,
				(value, decimals, least) => {
					const text = formatUnits(...least);
					const { isReached } = createLeastAmount(parseWholeAmount(text), () => {});
					const inSmallestOfBoth = [formatUnits(value, decimals), text].map((one) =>
						parseUnits(one, 60),
					) as [bigint, bigint];
					expect(isReached(value, { decimals })).toBe(inSmallestOfBoth[0] >= inSmallestOfBoth[1]);
				},
			),
		);
	});

	test('leaves out what a token without decimals moves, and says so', () => {
		const said: string[] = [];
		const { isReached } = createLeastAmount(parseWholeAmount('0.1'), (hint) => said.push(hint));
		expect(isReached(10n ** 30n, { decimals: null })).toBe(false);
		expect(said).toEqual([expect.stringMatching(/^'Min Amount' is in whole tokens\. Some tokens/)]);
		expect(isReached(1n, { decimals: 0 })).toBe(true);
		expect(said).toHaveLength(1);
	});

	test.each([undefined, '0', '0.000'])('of %s lets everything through', (text) => {
		const least = text === undefined ? undefined : parseWholeAmount(text);
		const report = jest.fn();
		const { isZero, isReached } = createLeastAmount(least, report);
		expect([isZero, isReached(0n, { decimals: null })]).toEqual([true, true]);
		expect(report).not.toHaveBeenCalled();
	});

	test.each(['-1', '1e3', '0x10', '1,5', 'all', '1.5 ether'])('is not %s', (given) => {
		expect(() => parseWholeAmount(given)).toThrow(/an amount of 0 or more, such as 1\.5/);
	});
});

test('the common fields come first, and nothing that a family says takes their place', () => {
	const item = formatPayment(
		{
			chain: 'evm',
			key: 'k',
			transactionHash: '0x1',
			timestamp: null,
			from: 'a',
			to: null,
			token: 't',
			facts: { symbol: 'T', decimals: 2 },
			value: 250n,
			comment: null,
		},
		{ logIndex: 1, value: 7, removed: false },
	);
	expect(Object.entries(item)).toEqual([
		['amount', '2.5'],
		['symbol', 'T'],
		['from', 'a'],
		['to', null],
		['comment', null],
		['timestamp', null],
		['chain', 'evm'],
		['transactionHash', '0x1'],
		['token', 't'],
		['decimals', 2],
		['value', '250'],
		['key', 'k'],
		['logIndex', 1],
		['removed', false],
	]);
});
