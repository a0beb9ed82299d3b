import { LOOPBACK_HOST } from '../../../credentials/endpoint';
import { InvalidInput } from '../errors/invalidInput';
import { parseText, type Parse, InvalidValue } from '../values/parse';
import { parseCid, type Cid } from './cid';
import { raise } from '../errors/raise';

/** The address of a file on IPFS: a CID, and the path from the content of this CID to the file. */
export interface IpfsAddress {
	readonly cid: Cid;
	readonly cidText: string;
	readonly path: readonly string[];
}

const MAX_ADDRESS_CHARS = 4_000;
const MAX_NAMES = 64;

const WANTED = 'a CID or an ipfs:// address, such as ipfs://bafy…/image.png';

/** Parses a CID or an IPFS address, with or without a path. */
export const parseIpfsAddress: Parse<IpfsAddress> = (given) => {
	const text = parseText(given);
	if (text.length > MAX_ADDRESS_CHARS)
		throw new InvalidValue(`shorter than ${MAX_ADDRESS_CHARS} characters`);
	const isUri = /^ipfs:\/\//i.test(text);
	const [cidText = '', ...names] = text
		.replace(/^ipfs:\/\/+/i, '')
		.replace(/^\/?ipfs\/+/i, '')
		.split('/');
	const cid = parseCid(cidText);
	if (!cid) throw new InvalidValue(WANTED);
	const path = names
		.filter((name) => name !== '')
		.map((name) => (isUri ? unescapeName(name) : name));
	if (path.length > MAX_NAMES)
		throw new InvalidValue(
			`an IPFS address with at most ${MAX_NAMES} names of folders and files after the CID`,
		);
	return path.some((name) => UNSAFE_NAME_PATTERN.test(name))
		? raise(
				new InvalidValue(
					'an IPFS address whose path has none of these: . or .. between slashes, an escaped slash (%2F), a zero byte, a broken character',
				),
			)
		: { cid, cidText, path };
};

/** Names that cannot be part of an address, such as `..` or a name with half of a character (a lone surrogate). */
const UNSAFE_NAME_PATTERN = /^\.{1,2}$|[/\0\p{Surrogate}]/u;

/**
 * Decodes a name from an address. A name that cannot be decoded is kept, because addresses on the web are often not
 * encoded.
 */
function unescapeName(name: string): string {
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

/**
 * Parses the address of a gateway, and adds a slash at its end. The error does not show a refused address, which may
 * contain a secret.
 */
export function parseGatewayUrl(label: string, given: unknown): URL {
	const address = parseText(given);
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isSafe =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname));
	if (!url || !isSafe || url.username + url.password + url.hash !== '') {
		throw new InvalidInput(
			`'${label}' must be a full address such as https://ipfs.example.com/ipfs/ (plain http:// is for this computer only)`,
		);
	}
	if (!url.pathname.endsWith('/')) url.pathname += '/';
	return url;
}

const LINK_PATTERN = /^(.*?\/ipfs\/)([^/]+)\/.*$/;

/**
 * Parses the address of a gateway, with or without `/ipfs/` at its end. A link to a file on the gateway is accepted,
 * too.
 */
export const parseFileGateway: Parse<string> = (given) => {
	const url = parseGatewayUrl('Gateway', given);
	const [, gateway = '', name = ''] = LINK_PATTERN.exec(url.pathname) ?? [];
	if (parseCid(name)) return `${url.origin}${gateway}`;
	if (!url.pathname.endsWith('/ipfs/')) url.pathname += 'ipfs/';
	return url.href;
};
