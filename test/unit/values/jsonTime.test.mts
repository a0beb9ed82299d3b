import { parseJson, tryParseJson } from '../../../nodes/core/values/json';
import { expectLinear } from '../support/growth.mts';

/**
 * A poor parser would need quadratic time for the texts of these tests, for example if it searched for the end of a
 * string from each quote.
 */

const LONGEST = 1_000_000;
const LONG = '12345678901234567890';

type Source = (repeated: (part: string) => string) => string;

async function atEveryLength(source: Source, check: (source: string) => void) {
	await expectLinear(LONGEST, (size) =>
		check(source((part) => part.repeat(Math.ceil(size / part.length)))),
	);
}

describe('text that is cut inside a string is no JSON, which is soon found out', () => {
	test.each<[string, Source]>([
		['of many words', (repeated) => `{"id":${LONG},"result":"${repeated('word ')}`],
		[
			'with many escaped quotes',
			(repeated) => `{"id":${LONG},"result":"${repeated('{\\"a\\":1},')}`,
		],
		[
			'before what was escaped',
			(repeated) => `{"id":${LONG},"result":"${repeated('{\\"a\\":1},')}\\`,
		],
		['of many backslashes', (repeated) => `{"id":${LONG},"result":"${repeated('\\\\')}\\`],
		['that was opened again and again', (repeated) => `${LONG} ${repeated('"\\')}`],
		['after many that were not', (repeated) => `[${LONG},${repeated(`"${LONG}",`)}"`],
	])('%s', async (_what, source) => {
		await atEveryLength(source, (text) => expect(tryParseJson(text)).toBeUndefined());
	});
});

describe('digits in long strings are left alone', () => {
	test.each<[string, string]>([
		['many of them', `${LONG} `],
		['between quotes', `"${LONG}" `],
		['after backslashes', `\\${LONG}\\"`],
		['after line breaks', `\n${LONG}`],
	])('%s', async (_what, part) => {
		const words = (repeated: (part: string) => string) => repeated(part);
		await atEveryLength(words, (text) => {
			const source = `[${JSON.stringify(text)},${LONG}]`;
			expect(tryParseJson(source)).toEqual([text, LONG]);
			expect(parseJson(source)).toEqual([text, LONG]);
		});
	});
});
