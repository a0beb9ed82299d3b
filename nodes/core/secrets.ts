import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

const MASK = '***';

/** Shorter secrets may occur in honest data by chance; longer ones only as an echo of the request. */
const NEVER_BY_CHANCE = 12;

export interface Secrets {
	/** Strikes every secret from words that people will read. */
	strike(text: string): string;
	/** Strikes the secrets that only an echo can explain from an answer's body. */
	strikeEcho(text: string): string;
}

/** The secrets of a credential are the fields that n8n masks in its form. */
export function secretsOf(
	properties: readonly INodeProperties[],
	credential: ICredentialDataDecryptedObject,
): Secrets {
	const secrets = properties
		.filter(({ typeOptions }) => typeOptions?.password)
		.map(({ name }) => Buffer.from(String(credential[name] ?? '').trim()).toString())
		.filter((value) => value !== '');
	const all = pattern(secrets);
	const long = pattern(secrets.filter(({ length }) => length >= NEVER_BY_CHANCE));
	return {
		strike: (text) => (all ? text.replace(all, MASK) : text),
		strikeEcho: (text) => (long ? text.replace(long, MASK) : text),
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
	const inJson = JSON.stringify(secret).slice(1, -1);
	return [secret, inJson, encodeURIComponent(secret), encodeURI(secret), ...base64Cores(secret)];
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
