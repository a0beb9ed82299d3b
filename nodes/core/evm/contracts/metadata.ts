import { RequestFailure } from '../../errors/requestFailure';
import { formatCid, type Cid } from '../../ipfs/cid';
import { MEGABYTE_BYTES, openIpfsFile } from '../../ipfs/gateway';
import type { OpenStream } from '../../net/http/fileStream';
import { tryParseJson } from '../../values/json';
import { InvalidValue, isRecord, rethrow } from '../../values/parse';
import { parseForeignAbi, type Abi } from '../abi/abi';
import { sharedKey, type Shared } from '../../net/pacing/shared';

/** Where the metadata of contracts is fetched from. */
export interface MetadataSource {
	readonly openStream: OpenStream;
	/** The address of a gateway ends in /ipfs/. */
	readonly gateway: string;
	readonly maxMegabytes: number;
	/** A memory that all contracts of a run share. */
	readonly shared: Shared;
}

/** The ABI of a contract's metadata, or the reason why no ABI was found. */
export type FoundAbi = Abi | RequestFailure;

/** After this many failures in a row, a gateway is not asked any more. */
const MAX_FAILURES = 5;
/** Limits a download, in milliseconds: the silence between two pieces, and the whole download. */
const TIMEOUT_MS = 10_000;
const MAX_MS = 60_000;

interface Memory {
	/** How many times in a row each gateway has failed. */
	readonly failures: Map<string, number>;
	readonly abis: Map<string, Promise<FoundAbi>>;
}

const METADATA_MEMORY = sharedKey(
	'evm.contractMetadata',
	(): Memory => ({ failures: new Map(), abis: new Map() }),
);

/**
 * Fetches the ABI in the metadata with the given CID, once in a run. Content that does not have the hash of the CID
 * counts as missing.
 */
export async function fetchAbi(source: MetadataSource, cid: Cid): Promise<FoundAbi> {
	const memory = source.shared(METADATA_MEMORY);
	const key = `${formatCid(cid)} ${source.maxMegabytes} ${source.gateway}`;
	const known = memory.abis.get(key);
	if (known) return await known;
	const fetching = fetchAfterFailures(source, cid, memory);
	memory.abis.set(key, fetching);
	return await fetching;
}

async function fetchAfterFailures(
	source: MetadataSource,
	cid: Cid,
	{ failures }: Memory,
): Promise<FoundAbi> {
	const { gateway } = source;
	const countFailures = () => failures.get(gateway) ?? 0;
	if (countFailures() >= MAX_FAILURES)
		return new RequestFailure('The IPFS gateway failed several times, and is not asked any more');
	try {
		const content = await fetchMetadata(source, cid);
		failures.delete(gateway);
		return (await parseMetadata(content)) ?? new RequestFailure('The metadata holds no ABI');
	} catch (failure) {
		failures.set(gateway, countFailures() + 1);
		return failure instanceof RequestFailure ? failure : rethrow(failure);
	}
}

async function fetchMetadata(
	{ openStream, gateway, maxMegabytes }: MetadataSource,
	cid: Cid,
): Promise<Buffer> {
	const address = { cid, cidText: formatCid(cid), path: [] };
	const maxBytes = maxMegabytes * MEGABYTE_BYTES;
	const limits = { verify: true, maxBytes, timeout: TIMEOUT_MS };
	const opened = limitTime(openStream, performance.now() + MAX_MS);
	const { content } = await openIpfsFile(opened, { address, gateway, ...limits });
	const pieces: Uint8Array[] = [];
	for await (const piece of content) pieces.push(piece);
	return Buffer.concat(pieces);
}

/** Ends a download after `end`, even if its bytes keep coming. A stream ends by itself only if they stop coming. */
function limitTime(open: OpenStream, end: number): OpenStream {
	async function* readUntilEnd(pieces: AsyncIterable<Uint8Array>) {
		for await (const piece of pieces) {
			if (performance.now() > end) throw lateError();
			yield piece;
		}
	}
	return async (request) => {
		if (performance.now() > end) throw lateError();
		const answer = await open(request);
		return { ...answer, pieces: readUntilEnd(answer.pieces) };
	};
}

function lateError(): RequestFailure {
	return new RequestFailure(`The IPFS gateway took longer than ${MAX_MS / 1000} s`);
}

/** Parses the ABI in the output of a compiler; undefined if the text has no such output, or is too large to be parsed. */
async function parseMetadata(content: Buffer): Promise<Abi | undefined> {
	const metadata = tryParseJson(content.toString());
	const output = isRecord(metadata) ? metadata.output : undefined;
	const given: unknown = isRecord(output) ? output.abi : undefined;
	if (!Array.isArray(given) || !given.every(isRecord)) return undefined;
	const abi = await parseForeignAbi(given).catch(undefinedIfInvalid);
	return abi && !hasCollision(abi) ? abi : undefined;
}

function undefinedIfInvalid(failure: unknown): undefined {
	return failure instanceof InvalidValue ? undefined : rethrow(failure);
}

/** Whether two functions have the same selector. No compiler accepts them, so the ABI is not genuine. */
function hasCollision({ functions }: Abi): boolean {
	return new Set(functions.map(({ selector }) => selector)).size < functions.length;
}
