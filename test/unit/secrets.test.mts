import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import { secretsOf } from '../../nodes/core/secrets';

fc.configureGlobal({ seed: 20261120, numRuns: 300 });

const field = (name: string, password: boolean): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	typeOptions: { password },
});
const properties = [field('nodeUrl', false), field('authToken', true), field('other', true)];

const hiding = (authToken: string, other = '') =>
	secretsOf(properties, { nodeUrl: 'https://example.com', authToken, other });

const printable = (chars: string) => fc.constantFrom(...chars);
const ASCII = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index));
/** Without the asterisk, which the mask is made of. */
const secrets = fc.string({ unit: printable(ASCII.replace('*', '')), minLength: 4, maxLength: 60 });
const around = fc.string({ unit: printable(` ${ASCII}`), maxLength: 40 });

const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Whatever can be decoded from the pieces that are left, at every alignment. */
function decodable(struck: string): string {
	return struck
		.split('***')
		.flatMap((piece) => [0, 1, 2, 3].map((offset) => piece.slice(offset)))
		.map((piece) => Buffer.from(piece, 'base64').toString('latin1'))
		.join('\n');
}

describe('a secret is struck', () => {
	test('in plain, URL-encoded and inside JSON, whatever stands around it', () => {
		fc.assert(
			fc.property(secrets, around, around, (secret, before, after) => {
				const { strike } = hiding(secret);
				const encoded = encodeURIComponent(secret);
				const inJson = JSON.stringify(secret).slice(1, -1);
				for (const spelling of [secret, encoded, lowerHex(encoded), inJson]) {
					const struck = strike(before + spelling + after);
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
					expect(decodable(hiding(secret).strike(echo))).not.toContain(secret);
				}),
			);
		},
	);

	test.each(['', 'x', 'xy', 'xyz:'])('inside base64 down to its edges, after "%s"', (before) => {
		const echo = Buffer.from(`${before}correct-horse${before}`).toString('base64');
		expect(decodable(hiding('correct-horse').strike(echo))).not.toMatch(/co|or|rs|se/);
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
	])('as it stands, though it looks like a pattern: %s', (secret) => {
		const { strike } = hiding(secret);
		expect(strike(`<${secret}>`)).toBe('<***>');
		expect(strike('aaa xxx 000 start')).toBe('aaa xxx 000 start');
	});

	test('beyond ASCII too', () => {
		const { strike } = hiding('pässwörd😀');
		expect(strike('a pässwörd😀 b')).toBe('a *** b');
		expect(strike(encodeURIComponent('pässwörd😀'))).toBe('***');
	});

	test('without the white space that copying leaves around it', () => {
		expect(hiding(' hidden-token\n').strike('/hidden-token/evm')).toBe('/***/evm');
	});

	test('everywhere, and so is every other secret of the credential', () => {
		const { strike } = hiding('first-secret', 'second-secret');
		expect(strike('first-secret second-secret first-secret')).toBe('*** *** ***');
	});

	test('whole, when another secret is a part of it', () => {
		expect(hiding('abcdef', 'abcdefghij').strike('abcdefghij')).toBe('***');
	});
});

describe('what is no secret stays', () => {
	test('when the field is not masked', () => {
		expect(hiding('hidden-token').strike('https://example.com')).toBe('https://example.com');
	});

	test.each(['', ' '])('when the secret is empty: "%s"', (empty) => {
		const { strike, strikeEcho } = hiding(empty);
		expect(strike('any text')).toBe('any text');
		expect(strikeEcho('any text')).toBe('any text');
	});

	test('in data, where a short secret occurs by chance', () => {
		const short = hiding('main');
		expect(short.strike('the main chain')).toBe('the *** chain');
		expect(short.strikeEcho('the main chain')).toBe('the main chain');
		expect(hiding('long-enough-token').strikeEcho('x long-enough-token y')).toBe('x *** y');
	});
});
