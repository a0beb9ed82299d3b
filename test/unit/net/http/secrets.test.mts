import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import { createRedactor } from '../../../../nodes/core/net/http/secrets';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';
import { expectLinear } from '../../support/growth.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: getCaseCount(300) });

const field = (name: string, password: boolean): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	typeOptions: { password },
});
const properties = [field('nodeUrl', false), field('authToken', true), field('other', true)];

const hiding = (authToken: string, other = '') =>
	createRedactor(properties, { nodeUrl: 'https://example.com', authToken, other });

const printable = (chars: string) => fc.constantFrom(...chars);
const ASCII = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index));
/** Random secrets without asterisks, because a removed secret is replaced by asterisks. */
const secrets = fc.string({ unit: printable(ASCII.replace('*', '')), minLength: 4, maxLength: 60 });
const around = fc.string({ unit: printable(` ${ASCII}`), maxLength: 40 });

const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const hex = (text: string) => Buffer.from(text).toString('hex');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const forHtml = (json: string) =>
	json.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
const inHtml = (text: string, double: string, single: string) =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', double)
		.replaceAll("'", single);

/**
 * Decodes all that is left beside the asterisks as base64. The groups of four characters may begin anywhere, so each
 * piece is decoded from each of its first four characters.
 */
function decodable(struck: string): string {
	return struck
		.split('***')
		.flatMap((piece) => [0, 1, 2, 3].map((offset) => piece.slice(offset)))
		.map((piece) => Buffer.from(piece, 'base64').toString('latin1'))
		.join('\n');
}

describe('a secret is struck', () => {
	test('in plain, URL-encoded and inside JSON, whatever is around it', () => {
		fc.assert(
			fc.property(secrets, around, around, (secret, before, after) => {
				const { redact } = hiding(secret);
				const encoded = encodeURIComponent(secret);
				const inJson = JSON.stringify(secret).slice(1, -1);
				for (const spelling of [secret, encoded, lowerHex(encoded), inJson]) {
					const struck = redact(before + spelling + after);
					expect(struck).toContain('***');
					expect(struck).not.toContain(spelling);
				}
			}),
		);
	});

	test.each(['base64', 'base64url'] as const)(
		'inside %s at every alignment, so that nothing recovers it',
		(encoding) => {
			fc.assert(
				fc.property(secrets, around, around, (secret, before, after) => {
					const echo = Buffer.from(before + secret + after).toString(encoding);
					expect(decodable(echo)).toContain(secret);
					expect(decodable(hiding(secret).redact(echo))).not.toContain(secret);
				}),
			);
		},
	);

	test.each(['', 'x', 'xy', 'xyz:'])('inside base64 down to its edges, after "%s"', (before) => {
		const echo = Buffer.from(`${before}correct-horse${before}`).toString('base64');
		expect(decodable(hiding('correct-horse').redact(echo))).not.toMatch(/co|or|rs|se/);
	});

	test.each<[string, (secret: string) => string]>([
		['percent-encoded throughout', (secret) => hex(secret).replace(/../g, '%$&')],
		['in JSON in JSON', (secret) => inJson(inJson(secret))],
		['in JSON in JSON in JSON', (secret) => inJson(inJson(inJson(secret)))],
		['in JSON that is safe in HTML', (secret) => forHtml(inJson(secret))],
		['in such JSON in JSON', (secret) => inJson(forHtml(inJson(secret)))],
		['in HTML, as Go escapes it', (secret) => inHtml(secret, '&#34;', '&#39;')],
		['in HTML, as Python escapes it', (secret) => inHtml(secret, '&quot;', '&#x27;')],
		['in HTML, as PHP escapes it', (secret) => inHtml(secret, '&quot;', '&#039;')],
		['in XML', (secret) => inHtml(secret, '&quot;', '&apos;')],
		['between the tags of HTML', (secret) => inHtml(secret, '"', "'")],
		['in such HTML in JSON', (secret) => inJson(inHtml(secret, '"', "'"))],
	])('%s, whatever is around it', (_, spelled) => {
		fc.assert(
			fc.property(secrets, around, around, (secret, before, after) => {
				const { redact } = hiding(secret);
				const struck = redact(before + spelled(secret) + after);
				expect(struck).toContain('***');
				expect(struck).not.toContain(spelled(secret));
			}),
		);
	});

	test.each([
		'a.b',
		'.*+?',
		'(x|y)',
		'[a-z]',
		'\\d\\w',
		'^start$',
		'a{2}',
		'c$&d',
		"it's",
		'a/b-c',
	])('as it is, though it looks like a pattern: %s', (secret) => {
		const { redact } = hiding(secret);
		expect(redact(`<${secret}>`)).toBe('<***>');
		expect(redact('aaa xxx 000 start')).toBe('aaa xxx 000 start');
	});

	test('beyond ASCII too', () => {
		const { redact } = hiding('pässwörd😀');
		expect(redact('a pässwörd😀 b')).toBe('a *** b');
		expect(redact(encodeURIComponent('pässwörd😀'))).toBe('***');
	});

	test('with blanks, in a form', () => {
		const secret = 'correct horse & battery';
		const form = new URLSearchParams({ secret }).toString();
		expect(hiding(secret).redact(form)).toBe('secret=***');
	});

	test('without the white space that copying leaves around it', () => {
		expect(hiding(' hidden-token\n').redact('/hidden-token/evm')).toBe('/***/evm');
	});

	test('everywhere, and so is every other secret of the credential', () => {
		const { redact } = hiding('first-secret', 'second-secret');
		expect(redact('first-secret second-secret first-secret')).toBe('*** *** ***');
	});

	test('whole, when another secret is a part of it', () => {
		expect(hiding('abcdef', 'abcdefghij').redact('abcdefghij')).toBe('***');
	});
});

describe('what is no secret stays', () => {
	test('when the field is not masked', () => {
		expect(hiding('hidden-token').redact('https://example.com')).toBe('https://example.com');
	});

	test.each(['', ' '])('when the secret is empty: "%s"', (empty) => {
		const { redact, redactEchoes } = hiding(empty);
		expect(redact('any text')).toBe('any text');
		expect(redactEchoes('any text')).toBe('any text');
	});

	test('in words, where the hex of a few letters occurs by chance', () => {
		expect(hiding('abc').redact('0x616263 abc')).toBe('0x616263 ***');
	});

	test('in data, where a short secret occurs by chance', () => {
		const short = hiding('main');
		expect(short.redact('the main chain')).toBe('the *** chain');
		expect(short.redactEchoes('the main chain')).toBe('the main chain');
		expect(hiding('long-enough-token').redactEchoes('x long-enough-token y')).toBe('x *** y');
	});
});

test.each(['"Tok/en+with\\', '&amp;', '%54%6f', 'VG9rL2Vu', 'A', '\\'])(
	'a large answer is searched once, and not at every letter anew: %s',
	async (part) => {
		const { redactEchoes } = hiding('Tok/en+with"quote&x=<0123456789');
		await expectLinear(5_000_000, (size) => {
			const text = part.repeat(size / part.length);
			expect(redactEchoes(text)).toHaveLength(text.length);
		});
	},
);
