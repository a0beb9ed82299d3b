import { parseKeys } from '../../../nodes/core/stark/eventChoice';
import { InvalidValue, type Parse } from '../../../nodes/core/values/parse';
import { transactions } from '../../../nodes/L2Simulate/transactions';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

const list = (part: string, count: number) => `[${Array<string>(count).fill(part).join(',')}]`;
const KEYS_REFUSAL = 'a JSON array of at most 10000 keys (indexed values of an event)';

/** JSON texts that are short enough to be parsed, but have too many parts. */
const refused: ReadonlyArray<readonly [string, Parse, string, string]> = [
	['keys', parseKeys, list('1', 300_000), KEYS_REFUSAL],
	['keys of any value', parseKeys, list('""', 400_000), KEYS_REFUSAL],
	['alternatives of a key', parseKeys, `[${list('1', 300_000)}]`, KEYS_REFUSAL],
	[
		'transactions',
		transactions.parse,
		list('{"a":1}', 187_000),
		'a list of at most 10000 transactions',
	],
];

test.each(refused)('%s of a megabyte are refused at once', async (_what, parse, text, words) => {
	const refuse = async () => {
		try {
			return await Promise.resolve(parse(text));
		} catch (error) {
			return error;
		}
	};
	expect(await refuse()).toEqual(new InvalidValue(words));
	expect(await measureLeastGap(refuse)).toBeLessThan(ALLOWED_UNITS);
});

test.each([
	['keys', parseKeys, '1'],
	['alternatives of a key', (text: string) => parseKeys(`[${text}]`)[0], '1'],
	['transactions', transactions.parse, '{"a":1}'],
] as const)('as many %s as the refusal says are taken', (_what, parse, part) => {
	expect(parse(list(part, 10_000))).toHaveLength(10_000);
	expect(() => parse(list(part, 10_001))).toThrow(' of at most 10000 ');
});
