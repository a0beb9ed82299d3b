import { parseApiPath } from '../../../nodes/core/operation/path';
import { parseComment } from '../../../nodes/core/ton/bodies';
import { parseBase64 } from '../../../nodes/core/values/base64';
import { InvalidValue, type Parse } from '../../../nodes/core/values/parse';
import { paymentId } from '../../../signer/nodes/Pay/fields';
import { takeRows } from '../../harness/caseCount.mts';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

const LONG = 10_000_000;

describe('base64 of 4 MB', () => {
	const bytes = Buffer.alloc(3_000_000, Buffer.from([0xfb, 0xff, 0xfe]));
	const standard = bytes.toString('base64');

	test.each(
		takeRows(
			[
				['as it is', () => standard],
				['as in a URL', () => bytes.toString('base64url')],
				['in short lines', () => standard.replace(/(.{8})/g, '$1\r\n')],
			],
			3,
		),
	)('%s leaves n8n its turns', async (_how, make) => {
		const text = make();
		expect(parseBase64(text) === standard).toBe(true);
		expect(await measureLeastGap(async () => parseBase64(text))).toBeLessThan(ALLOWED_UNITS);
	});
});

const rows: ReadonlyArray<readonly [string, Parse, string, RegExp]> = [
	['a comment', parseComment, 'é'.repeat(LONG), /^text of at most 127000 bytes$/],
	['a payment ID', paymentId.parse, 'é'.repeat(LONG), /^text of at most 10000 bytes$/],
	['a path', parseApiPath, '/a'.repeat(LONG / 2), /^a path of at most 4000 characters$/],
];

test.each(takeRows(rows, 3))(
	'%s of 10 MB is refused at once',
	async (_what, parse, text, words) => {
		const refuse = () => {
			try {
				return String(parse(text)).slice(0, 80);
			} catch (error) {
				return error;
			}
		};
		const refusal = refuse();
		expect(refusal).toBeInstanceOf(InvalidValue);
		expect((refusal as Error).message).toMatch(words);
		expect(await measureLeastGap(async () => refuse())).toBeLessThan(ALLOWED_UNITS);
	},
);

test.each([
	['a comment', parseComment, 127_000],
	['a payment ID', paymentId.parse, 10_000],
])('%s may have as many bytes as it says', (_what, parse, most) => {
	expect(parse('a'.repeat(most))).toHaveLength(most);
	expect(parse('é'.repeat(most / 2))).toHaveLength(most / 2);
	expect(() => parse('é'.repeat(most / 2 + 1))).toThrow(`text of at most ${most} bytes`);
});
