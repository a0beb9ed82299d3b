import { deepCopy } from 'n8n-workflow';
import { LOOPBACK } from '../../../credentials/endpoint';
import { InvalidInput } from '../../../credentials/invalidInput';
import { RequestFailure } from '../errors/requestFailure';
import type { PublicFile } from '../http/download';
import type { Field } from '../operation/field';
import type { Chain } from '../rpc/chain';
import { tryParseJson } from '../values/json';
import { isRecord, text, type Read } from '../values/read';

/** What the metadata of a token says, or why it is not known. */
export interface Metadata {
	readonly metadata: Readonly<Record<string, unknown>> | null;
	readonly metadataError: string | null;
}

export const NO_METADATA: Metadata = { metadata: null, metadataError: null };

type Known = Map<string, Promise<Metadata>>;

/** By address: each is asked once in a run. */
const knownMetadata = (): Known => new Map();

/** The metadata at the address that a contract tells. That it cannot be had is no failure. */
export async function readMetadata(
	chain: Chain,
	uri: string | null,
	gateway: string | undefined,
): Promise<Metadata> {
	if (uri === null) return unknown('The contract tells no address of the metadata');
	if (/^data:/i.test(uri)) return embedded(uri);
	const file = fileAt(uri, gateway);
	return 'metadataError' in file ? file : await fetched(chain, file);
}

function unknown(metadataError: string): Metadata {
	return { metadata: null, metadataError };
}

function embedded(uri: string): Metadata {
	const at = uri.indexOf(',');
	if (at < 0) return unknown('The data: address has no content');
	const content = uri.slice(at + 1);
	if (/;\s*base64\s*$/i.test(uri.slice(0, at)))
		return parsed(Buffer.from(unescaped(content), 'base64').toString());
	// Many contracts write the JSON as it is, with a % that is none.
	const decoded = parsed(unescaped(content));
	return decoded.metadata ? decoded : parsed(content);
}

function unescaped(content: string): string {
	try {
		return decodeURIComponent(content);
	} catch {
		return content;
	}
}

const LARGEST = 1_000_000;

function parsed(content: string): Metadata {
	if (content.length > LARGEST) return unknown('The metadata is larger than 1 MB');
	const metadata = tryParseJson(content.replace(/^\uFEFF/, ''));
	return isRecord(metadata)
		? { metadata, metadataError: null }
		: unknown('What is there is not a JSON object');
}

/** Of an address that is asked. */
const LONGEST = 8_000;

/** Where to ask for it. */
function fileAt(uri: string, gateway: string | undefined): PublicFile | Metadata {
	if (uri.length > LONGEST) return unknown(`The address is longer than ${LONGEST} characters`);
	const path = /^ipfs:\/\/\/*(?:ipfs\/+)?(.+)$/is.exec(uri)?.[1];
	if (path !== undefined) {
		if (gateway === undefined) {
			return unknown(
				"The address is one of IPFS: set the option 'IPFS Gateway' to have it fetched",
			);
		}
		const url = below(gateway, path);
		return url ? { url, isForeign: false } : unknown('The IPFS address leads out of the gateway');
	}
	return /^https:\/\//i.test(uri) && URL.canParse(uri)
		? { url: new URL(uri).href, isForeign: true }
		: unknown('The address is neither https:// nor ipfs:// nor data:');
}

/** Undefined for a path that climbs up: a gateway may have other doors, and a secret in its address. */
function below(gateway: string, path: string): string | undefined {
	const url = new URL(gateway);
	const { pathname } = url;
	// Escapes ? and #, which may stand in the name of a file.
	url.pathname = pathname + path;
	const isBelow = url.pathname.startsWith(pathname) && url.pathname !== pathname;
	return isBelow && !/%(2f|5c)/i.test(url.pathname) ? url.href : undefined;
}

async function fetched(chain: Chain, file: PublicFile): Promise<Metadata> {
	const known = chain.memory(knownMetadata);
	const before = known.get(file.url);
	// Items must not share an object: a later node may change one.
	if (before) return deepCopy(await before);
	const asking = chain
		.download(file)
		.then((content) => parsed(content.toString()))
		.catch(async (failure) =>
			failure instanceof RequestFailure ? unknown(failure.message) : await Promise.reject(failure),
		);
	known.set(file.url, asking);
	return await asking;
}

/** What was given is not shown when it is refused: it may hold a secret. */
const gatewayAddress: Read<string | undefined> = (given) => {
	const address = text(given);
	if (address === '') return undefined;
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isSafe =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
	if (!url || !isSafe || url.username + url.password + url.hash !== '') {
		throw new InvalidInput(
			"'IPFS Gateway' must be a full address such as https://ipfs.example.com/ipfs/ (plain http:// is for this computer only)",
		);
	}
	if (!url.pathname.endsWith('/')) url.pathname += '/';
	return url.href;
};

export const fetchMetadata = {
	displayName: 'Fetch Metadata',
	name: 'fetchMetadata',
	type: 'boolean',
	default: true,
	description:
		'Whether to fetch the metadata (name, image, attributes) from where the contract says it is. What cannot be had is null, with the reason in <code>metadataError</code>.',
} as const satisfies Field;

export const ipfsGateway = {
	displayName: 'IPFS Gateway',
	name: 'ipfsGateway',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://ipfs.example.com/ipfs/',
	description:
		'Where metadata that lies in IPFS is fetched from: the address of a gateway, behind which the path in IPFS is put. Without it, metadata in IPFS is not fetched.',
	read: gatewayAddress,
} as const satisfies Field;
