import { parseJson, tryParseJson } from '../../../nodes/core/values/json';

const LENGTH = 200_000;

/** Far more than it takes, and far less than it takes when each quote is tried as a beginning. */
const MOST_MILLISECONDS = 10_000;

const LONG = '12345678901234567890';
const repeated = (part: string) => part.repeat(Math.ceil(LENGTH / part.length));

function quickly(source: string): unknown {
	const began = performance.now();
	const value = tryParseJson(source);
	expect(performance.now() - began).toBeLessThan(MOST_MILLISECONDS);
	return value;
}

describe('text that is cut inside a string is no JSON, which is soon found out', () => {
	test.each<[string, string]>([
		['of many words', `{"id":${LONG},"result":"${repeated('word ')}`],
		['with many escaped quotes', `{"id":${LONG},"result":"${repeated('{\\"a\\":1},')}`],
		['before what was escaped', `{"id":${LONG},"result":"${repeated('{\\"a\\":1},')}\\`],
		['of many backslashes', `{"id":${LONG},"result":"${repeated('\\\\')}\\`],
		['that was opened again and again', `${LONG} ${repeated('"\\')}`],
		['after many that were not', `[${LONG},${repeated(`"${LONG}",`)}"`],
	])('%s', (_what, source) => {
		expect(quickly(source)).toBeUndefined();
	});
});

describe('digits in long strings are left alone', () => {
	test.each<[string, string]>([
		['many of them', repeated(`${LONG} `)],
		['between quotes', repeated(`"${LONG}" `)],
		['after backslashes', repeated(`\\${LONG}\\"`)],
		['after line breaks', repeated(`\n${LONG}`)],
	])('%s', (_what, words) => {
		const source = `[${JSON.stringify(words)},${LONG}]`;
		expect(quickly(source)).toEqual([words, LONG]);
		expect(parseJson(source)).toEqual([words, LONG]);
	});
});
