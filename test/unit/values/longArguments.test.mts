import { encodeFunctionData, parseFunction } from '../../../nodes/core/evm/abi/call';
import { byteArrayCodec } from '../../../nodes/core/stark/abi/byteArray';
import { createValuesBudget } from '../../../nodes/core/values/budget';
import { name } from '../../../nodes/EvmRpc/name';
import { takeRows } from '../../harness/caseCount.mts';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

const LONG = 4_000_000;
const WORDS_TEXT =
	/^'Arguments' must be at most 100000 values, .* 32 bytes of a text count as one; got /;

const encode = (type: string, value: unknown) =>
	encodeFunctionData(parseFunction(`store(${type} given)`), [value]);
const encodeText = (text: string) => {
	const felts: bigint[] = [];
	byteArrayCodec.encode(text, 'Arguments > given', { felts, budget: createValuesBudget() });
	return felts.length;
};
const [, records] = name.operations.resolve.fields;

const rows: ReadonlyArray<readonly [string, () => unknown, RegExp]> = [
	['text of an EVM function', () => encode('string', 'é'.repeat(LONG)), WORDS_TEXT],
	['bytes of an EVM function', () => encode('bytes', `0x${'ab'.repeat(LONG)}`), WORDS_TEXT],
	[
		'texts of an EVM function',
		() => encode('string[]', Array<string>(10).fill('a'.repeat(LONG / 10))),
		WORDS_TEXT,
	],
	[
		'text of a STARK function',
		() => encodeText('é'.repeat(LONG)),
		/^'Arguments > given' must be text of at most 155000 bytes; got /,
	],
	[
		'key of a record of a name',
		() => records.parse('é'.repeat(LONG)),
		/^keys of text records, each of at most 1000 characters$/,
	],
];

test.each(takeRows(rows, 3))('4 MB in a %s are refused at once', async (_what, work, words) => {
	const refuse = async () => {
		try {
			return await Promise.resolve(work());
		} catch (error) {
			return (error as Error).message;
		}
	};
	expect(await refuse()).toMatch(words);
	expect(await measureLeastGap(refuse)).toBeLessThan(ALLOWED_UNITS);
});

test('a text may be as long as the refusal says', () => {
	expect(encodeText('a'.repeat(155_000))).toBe(5003);
	expect(() => encodeText('a'.repeat(155_001))).toThrow('text of at most 155000 bytes');
	expect(encode('string', 'a'.repeat(3_199_000))).toMatch(/^0x/);
});
