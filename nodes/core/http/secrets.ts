import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { tokensIn } from '../../../credentials/endpoint';

const MASK = '***';

/** Shorter secrets may occur in honest data by chance; longer ones only as an echo of the request. */
const NEVER_BY_CHANCE = 12;

interface Secrets {
	/** Redacts every secret in words that people will read. */
	redact(text: string): string;
	/** Redacts the secrets that only an echo can explain in an answer's body. */
	redactEchoes(text: string): string;
}

/** The secrets of a credential are the fields that n8n masks in its form. */
export function secretsOf(
	properties: readonly INodeProperties[],
	credential: ICredentialDataDecryptedObject,
): Secrets {
	const secrets = properties
		.filter(({ typeOptions }) => typeOptions?.password)
		.map(({ name }) => Buffer.from(String(credential[name] ?? '').trim()).toString())
		.filter((value) => value !== '')
		.flatMap(tokensIn);
	const all = pattern(secrets);
	const long = pattern(secrets.filter(({ length }) => length >= NEVER_BY_CHANCE));
	return {
		redact: (text) => (all ? text.replace(all, MASK) : text),
		redactEchoes: (text) => (long ? text.replace(long, MASK) : text),
	};
}

/** The longest first: one secret may be a part of another. */
function pattern(secrets: readonly string[]): RegExp | undefined {
	if (secrets.length === 0) return undefined;
	const longest = [...new Set(secrets)].sort((a, b) => b.length - a.length);
	const plain = longest.map((secret) => [...secret].map(inAnySpelling).join(''));
	const encoded = longest.flatMap(base64Cores).map(literally);
	return new RegExp([...plain, ...encoded].join('|'), 'gi');
}

/** Names that HTML has for characters. */
const NAMES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

/** A character as it stands, or as a URL, JSON (also inside JSON, where backslashes double) and HTML write it. */
function inAnySpelling(character: string, index: number): string {
	// Backslashes before the first one may stay, so that long rows of them are not tried again and again.
	const more = index === 0 ? '' : '\\\\{0,7}';
	const code = character.codePointAt(0) ?? 0;
	const bytes = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`);
	const units = character.split('').map((unit) => `${more}\\\\u${hex(unit.charCodeAt(0), 4)}`);
	const spellings = [
		(/\w/.test(character) ? '' : more) + literally(character),
		bytes.join(''),
		units.join(''),
		`&#0{0,4}${code};`,
		`&#x0{0,4}${hex(code, 1)};`,
		...(character in NAMES ? [NAMES[character]] : []),
	];
	return `(?:${spellings.join('|')})`;
}

function hex(value: number, digits: number): string {
	return value.toString(16).padStart(digits, '0');
}

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * Inside a longer text, such as `user:password`, a secret has three base64 spellings, one for each
 * position in a group of three bytes. The characters at its edges mix with their neighbours and are left out.
 */
function base64Cores(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const cores = [0, 1, 2].map((shift) => {
		const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
			.toString('base64')
			.replace(/=/g, '');
		const start = Math.ceil((shift * 8) / 6);
		const end = Math.floor(((shift + bytes.length) * 8) / 6);
		return encoded.slice(start, end);
	});
	return cores
		.filter((core) => core.length >= 4)
		.flatMap((core) => [core, core.replace(/\+/g, '-').replace(/\//g, '_')]);
}
