import { RequestFailure } from '../errors/requestFailure';
import { parseGatewayUrl } from '../ipfs/address';
import type { RunContext } from '../operation/operation';
import type { PublicFile } from '../net/http/download';
import { tryParseJson } from '../values/json';
import { isRecord, parseText, type Parse, rethrow } from '../values/parse';
import { sharedKey } from '../net/pacing/shared';

/** The metadata of a token. If they could not be read, they are null, and the error says why. */
export interface Metadata {
	readonly metadata: Readonly<Record<string, unknown>> | null;
	readonly metadataError: string | null;
}

export const NO_METADATA: Metadata = { metadata: null, metadataError: null };

/** The functions of a run that are needed for downloading files. */
type FileReader = Pick<RunContext<never>, 'download' | 'shared'>;

type MetadataCache = Map<string, Promise<Metadata>>;

/** The metadata by the address of their file, so that each file is downloaded only once in a run. */
const METADATA_CACHE = sharedKey('chain.metadataCache', (): MetadataCache => new Map());

/** Fetches the metadata from the address that a contract returned. A missing file is a result and does not throw. */
export async function fetchTokenMetadata(
	files: FileReader,
	uri: string | null,
	gateway: string | undefined,
	/** The contract's error message if the contract gives no address of the metadata. */
	reason?: string,
): Promise<Metadata> {
	if (uri === null) {
		const problem = 'The contract gives no address of the metadata';
		return buildUnknownMetadata(reason === undefined ? problem : `${problem}: ${reason}`);
	}
	if (/^data:/i.test(uri)) return decodeDataUri(uri);
	const file = locateFile(uri, gateway);
	return 'metadataError' in file ? file : await fetchOnce(files, file);
}

function buildUnknownMetadata(metadataError: string): Metadata {
	return { metadata: null, metadataError };
}

function decodeDataUri(uri: string): Metadata {
	const at = uri.indexOf(',');
	if (at < 0) return buildUnknownMetadata('The data: address has no content');
	const content = uri.slice(at + 1);
	if (/;\s*base64\s*$/i.test(uri.slice(0, at)))
		return parseMetadata(Buffer.from(unescapeContent(content), 'base64').toString());
	// Many contracts do not escape their JSON: a % in it may then be a plain percent sign.
	const decoded = parseMetadata(unescapeContent(content));
	return decoded.metadata ? decoded : parseMetadata(content);
}

function unescapeContent(content: string): string {
	try {
		return decodeURIComponent(content);
	} catch {
		return content;
	}
}

const MAX_METADATA_CHARS = 1_000_000;

function parseMetadata(content: string): Metadata {
	if (content.length > MAX_METADATA_CHARS)
		return buildUnknownMetadata('The metadata is larger than 1 MB');
	const metadata = tryParseJson(content.replace(/^\uFEFF/, ''));
	return isRecord(metadata)
		? { metadata, metadataError: null }
		: buildUnknownMetadata('The content is not a JSON object');
}

/** Longer addresses are not requested. */
const MAX_URI_CHARS = 8_000;

/** Finds the file of an address, or the reason why it cannot be fetched. */
function locateFile(uri: string, gateway: string | undefined): PublicFile | Metadata {
	if (uri.length > MAX_URI_CHARS)
		return buildUnknownMetadata(`The address is longer than ${MAX_URI_CHARS} characters`);
	const path = /^ipfs:\/\/\/*(?:ipfs\/+)?(.+)$/is.exec(uri)?.[1];
	if (path !== undefined) {
		if (gateway === undefined) {
			return buildUnknownMetadata(
				"The address is one of IPFS: set the option 'IPFS Gateway' to have it fetched",
			);
		}
		const url = buildUrlBelow(gateway, path);
		return url
			? { url, isForeign: false }
			: buildUnknownMetadata('The IPFS address leads out of the gateway');
	}
	return /^https:\/\//i.test(uri) && URL.canParse(uri)
		? { url: new URL(uri).href, isForeign: true }
		: buildUnknownMetadata('The address is neither https:// nor ipfs:// nor data:');
}

/**
 * Builds the address of a file on a gateway; undefined for a path with `..` that leaves the gateway's folder. A
 * gateway may serve other things than files, and its address may contain a secret.
 */
function buildUrlBelow(gateway: string, path: string): string | undefined {
	const url = new URL(gateway);
	const { pathname } = url;
	// Setting the path escapes ? and #, which may be part of a file name.
	url.pathname = pathname + path;
	const isBelow = url.pathname.startsWith(pathname) && url.pathname !== pathname;
	return isBelow && !/%(2f|5c)/i.test(url.pathname) ? url.href : undefined;
}

async function fetchOnce(files: FileReader, file: PublicFile): Promise<Metadata> {
	const known = files.shared(METADATA_CACHE);
	const before = known.get(file.url);
	// Each item gets its own copy, because a later n8n node may change its item.
	if (before) return structuredClone(await before);
	const asking = files
		.download(file)
		.then((content) => parseMetadata(content.toString()))
		.catch((failure) =>
			failure instanceof RequestFailure ? buildUnknownMetadata(failure.message) : rethrow(failure),
		);
	known.set(file.url, asking);
	return await asking;
}

export const parseGatewayAddress: Parse<string | undefined> = (given) =>
	parseText(given) === '' ? undefined : parseGatewayUrl('IPFS Gateway', given).href;
