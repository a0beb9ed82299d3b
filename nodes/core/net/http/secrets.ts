import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { encodeSecret, getText, getTokenForms } from '../../../../credentials/endpoint';

const MASK = '***';

/** Shorter secrets may occur in a response by chance, so they are not masked there. */
const MIN_ECHO_CHARS = 12;

interface Redactor {
	/** Masks every secret. Used for errors and logs. */
	redact(text: string): string;
	/** Masks only secrets that are too long to occur by chance. Used for response bodies. */
	redactEchoes(text: string): string;
}

/** Creates the functions that mask secrets. The secrets of a credential are its password fields. */
export function createRedactor(
	properties: readonly INodeProperties[],
	credential: ICredentialDataDecryptedObject,
): Redactor {
	const secrets = properties
		.filter(({ typeOptions }) => typeOptions?.password)
		.map(({ name }) => encodeSecret(getText(credential[name]).trim()).toString())
		.filter((value) => value !== '')
		.flatMap(getTokenForms);
	const all = buildPattern(secrets);
	const long = buildPattern(secrets.filter(({ length }) => length >= MIN_ECHO_CHARS));
	return {
		redact: (text) => (all ? text.replace(all, MASK) : text),
		redactEchoes: (text) => (long ? text.replace(long, MASK) : text),
	};
}

/** Builds a pattern for all secrets. The longest secret comes first, because one secret may contain another. */
function buildPattern(secrets: readonly string[]): RegExp | undefined {
	if (secrets.length === 0) return undefined;
	const longest = [...new Set(secrets)].sort((a, b) => b.length - a.length);
	const plain = longest.map((secret) => [...secret].map(buildAnyEncodingPattern).join(''));
	const encoded = longest.flatMap(getBase64Cores).map(escapePattern);
	return new RegExp([...plain, ...encoded].join('|'), 'gi');
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

/**
 * Builds a pattern for a character in all its encodings. It may be plain, URL-encoded, form-encoded, escaped in JSON
 * (even twice), or an HTML entity.
 */
function buildAnyEncodingPattern(character: string, index: number): string {
	// The first character may not be escaped with backslashes, because long runs of backslashes would make matching
	// quadratic.
	const more = index === 0 ? '' : '\\\\{0,7}';
	const code = character.codePointAt(0) ?? 0;
	const bytes = [...encodeSecret(character)].map((byte) => `%${toHexDigits(byte, 2)}`);
	const units = character
		.split('')
		.map((unit) => `${more}\\\\u${toHexDigits(unit.charCodeAt(0), 4)}`);
	const encodings = [
		(/\w/.test(character) ? '' : more) + escapePattern(character),
		bytes.join(''),
		units.join(''),
		`&#0{0,4}${code};`,
		`&#x0{0,4}${toHexDigits(code, 1)};`,
		...(character in HTML_ENTITIES ? [HTML_ENTITIES[character]] : []),
		...(character === ' ' ? ['\\+'] : []),
	];
	return `(?:${encodings.join('|')})`;
}

function toHexDigits(value: number, digits: number): string {
	return value.toString(16).padStart(digits, '0');
}

function escapePattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * Returns how a secret appears in the base64 of a longer text such as `user:password`. There are three forms, by the
 * offset of the secret modulo 3. First and last digits that also depend on neighbouring characters are left out.
 */
function getBase64Cores(secret: string): string[] {
	const cores = [0, 1, 2].map((shift) => {
		const bytes = encodeSecret('\0'.repeat(shift) + secret);
		const encoded = bytes.toString('base64').replace(/=/g, '');
		const start = Math.ceil((shift * 8) / 6);
		const end = Math.floor((bytes.length * 8) / 6);
		return encoded.slice(start, end);
	});
	return cores
		.filter((core) => core.length >= 4)
		.flatMap((core) => [core, core.replace(/\+/g, '-').replace(/\//g, '_')]);
}
