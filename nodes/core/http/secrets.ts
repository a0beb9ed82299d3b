import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { tokensIn } from '../../../credentials/token';

const MASK = '***';

/** Shorter secrets may occur in honest data by chance; longer ones only as an echo of the request. */
const NEVER_BY_CHANCE = 12;

export interface Secrets {
	/** Strikes every secret from words that people will read. */
	redact(text: string): string;
	/** Strikes the secrets that only an echo can explain from an answer's body. */
	redactEchoes(text: string): string;
}

/** The secrets of a credential are the fields that n8n masks in its form. */
export function secretsOf(
	properties: readonly INodeProperties[],
	credential: ICredentialDataDecryptedObject,
): Secrets {
	const secrets = properties
		.filter(({ typeOptions }) => typeOptions?.password)
		.flatMap(({ name }) => tokensIn(Buffer.from(String(credential[name] ?? '').trim()).toString()))
		.filter((value) => value !== '');
	const all = pattern(secrets);
	const long = pattern(secrets.filter(({ length }) => length >= NEVER_BY_CHANCE));
	return {
		redact: (text) => (all ? text.replace(all, MASK) : text),
		redactEchoes: (text) => (long ? text.replace(long, MASK) : text),
	};
}

function pattern(secrets: readonly string[]): RegExp | undefined {
	const spellings = [...new Set(secrets.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
	if (spellings.length === 0) return undefined;
	return new RegExp(
		spellings.map((spelling) => spelling.replace(/[^\w]/g, '\\$&')).join('|'),
		'gi',
	);
}

function spellingsOf(secret: string): string[] {
	const bytes = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0'));
	const cores = base64Cores(secret);
	return [
		...[secret, ...inHtml(secret)].flatMap((text) => [text, ...inJson(text)]),
		encodeURIComponent(secret),
		encodeURI(secret),
		`%${bytes.join('%')}`,
		...(bytes.length >= 4 ? [bytes.join('')] : []),
		...cores,
		...cores.flatMap(base64Cores),
	];
}

/** In JSON, and in JSON that is text in JSON itself. Some write what HTML would read as codes. */
function inJson(text: string): string[] {
	const escaped = (part: string) => JSON.stringify(part).slice(1, -1);
	const coded = escaped(text).replace(
		/[<>&]/g,
		(char) => `\\u00${char.charCodeAt(0).toString(16)}`,
	);
	return [escaped(text), coded].flatMap((once) => [once, escaped(once), escaped(escaped(once))]);
}

/** How HTML escapes a double and a single quote. */
const QUOTES = [
	['"', "'"],
	['&quot;', '&apos;'],
	['&quot;', '&#39;'],
	['&quot;', '&#039;'],
	['&quot;', '&#x27;'],
	['&#34;', '&#39;'],
] as const;

function inHtml(secret: string): string[] {
	const text = secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
	return QUOTES.map(([double, single]) => text.replace(/"/g, double).replace(/'/g, single));
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
