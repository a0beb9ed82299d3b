import { decodeFunctionResult, encodeFunctionData, parseFunction } from './abi/call';
import { DecodingError } from './abi/data';
import type { AbiFunction } from './abi/entry';
import { ZERO_ADDRESS } from './address';
import { RequestFailure } from '../errors/requestFailure';
import type { RpcCaller } from '../chain/reader';
import { encodeHex } from '../values/hex';
import { parseEnsName, encodeDnsName, hashNameLevels } from './ensName';
import { catching, InvalidValue, rethrow } from '../values/parse';
import { OffchainFailure } from './lookupServers';
import { hexParser } from './chainObjects';
import { callWithLookups, type OffchainReader } from './offchainLookup';
import { raise } from '../errors/raise';

/** The address of the ENS registry, the same on every chain that has one. */
export const ENS_REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';

const RESOLVER_FUNCTION = parseFunction('resolver(bytes32 node) returns (address)');
const SUPPORTS_INTERFACE_FUNCTION = parseFunction('supportsInterface(bytes4 id) returns (bool)');
const RESOLVE_FUNCTION = parseFunction('resolve(bytes name, bytes data) returns (bytes)');
const RECORD_FUNCTIONS = {
	address: parseFunction('addr(bytes32 node) returns (address)'),
	text: parseFunction('text(bytes32 node, string key) returns (string)'),
	name: parseFunction('name(bytes32 node) returns (string)'),
} as const;

/** A resolver with this interface answers for all names below its own (ENSIP-10). */
const WILDCARD_INTERFACE_ID = '0x9061b923';

/** Reads a record of a name; gives undefined if there is none. */
type ReadRecord = (
	kind: keyof typeof RECORD_FUNCTIONS,
	...given: string[]
) => Promise<string | undefined>;

/** Reads the address and texts of a name. A value that the name does not have is null. */
export async function readNameRecords(
	chain: OffchainReader,
	registry: string,
	name: string,
	keys: readonly string[],
) {
	const recordOf = await createRecordReader(chain, registry, name);
	const [address, ...texts] = await Promise.all([
		recordOf('address'),
		...keys.map(async (key) => await recordOf('text', key)),
	]);
	return {
		address: address === undefined || address === ZERO_ADDRESS ? null : address,
		records: Object.fromEntries(keys.map((key, index) => [key, texts[index] || null])),
	};
}

/** Reads the name that an address claims; null if that name does not lead to the address. */
export async function readReverseName(chain: OffchainReader, registry: string, address: string) {
	const reverse = `${address.slice(2).toLowerCase()}.addr.reverse`;
	const claiming = createRecordReader(chain, registry, reverse).then(
		async (recordOf) => await recordOf('name'),
	);
	const name = await claiming.catch(undefinedIfUnreadable);
	// A name that is not in its normal spelling is ignored, because it could look like another name.
	if (!name || catching(InvalidValue, () => parseEnsName(name)) !== name) return null;
	const found = await readNameRecords(chain, registry, name, []).catch(undefinedIfUnreadable);
	return found?.address?.toLowerCase() === address.toLowerCase() ? name : null;
}

/** Creates a function that reads records of a name. A name without a resolver has no records. */
async function createRecordReader(
	chain: OffchainReader,
	registry: string,
	name: string,
): Promise<ReadRecord> {
	const nodes = hashNameLevels(name).map(encodeHex);
	const [node = ''] = nodes;
	const resolvers = await Promise.all(
		nodes.map(async (one) => await readResolver(chain, registry, one)),
	);
	const resolver = resolvers.find((one) => one !== ZERO_ADDRESS);
	const isOwn = resolver === resolvers[0];
	const usesWildcard = resolver !== undefined && (await supportsWildcard(chain, resolver, name));
	return async (kind, ...given) => {
		if (resolver === undefined || !(isOwn || usesWildcard)) return undefined;
		const asked = RECORD_FUNCTIONS[kind];
		const question = encodeFunctionData(asked, [node, ...given]);
		const ask = async (data: string) => await callResolver(chain, resolver, data, name);
		if (!usesWildcard) return decodeRecord(asked, await ask(question), name);
		const passed = await ask(
			encodeFunctionData(RESOLVE_FUNCTION, [encodeHex(encodeDnsName(name)), question]),
		);
		return decodeRecord(asked, decodeRecord(RESOLVE_FUNCTION, passed, name), name);
	};
}

async function readResolver(reader: RpcCaller, registry: string, node: string): Promise<string> {
	const data = encodeFunctionData(RESOLVER_FUNCTION, [node]);
	const answer = parseReturnData(await reader.call('eth_call', [{ to: registry, data }, 'latest']));
	const resolver = catching(
		DecodingError,
		() => decodeFunctionResult(RESOLVER_FUNCTION, answer).result,
	);
	return typeof resolver === 'string' ? resolver : raise(noRegistryError(registry));
}

async function supportsWildcard(
	chain: OffchainReader,
	resolver: string,
	name: string,
): Promise<boolean> {
	const data = encodeFunctionData(SUPPORTS_INTERFACE_FUNCTION, [WILDCARD_INTERFACE_ID]);
	const answer = await callResolver(chain, resolver, data, name);
	const isSupported = catching(
		DecodingError,
		() => decodeFunctionResult(SUPPORTS_INTERFACE_FUNCTION, answer).result,
	);
	return isSupported === true;
}

const EMPTY_DATA = '0x';

/** Calls a contract of the name system. Returns no data if the contract lacks the function, or fails. */
async function callResolver(
	chain: OffchainReader,
	to: string,
	data: string,
	name: string,
): Promise<string> {
	const answer = await callWithLookups(chain, to, data).catch((failure) =>
		failure instanceof OffchainFailure ? raise(unreadableError(name, failure)) : rethrow(failure),
	);
	return parseReturnData(answer ?? EMPTY_DATA);
}

const parseReturnData = hexParser('return data as 0x-hex');

function unreadableError(name: string, { message }: OffchainFailure): UnreadableName {
	return new UnreadableName(`The name ${name} can't be read off the chain`, {
		description: `${message}.`,
	});
}

/** A failure that the resolver of a name caused. Anybody can write a resolver. */
class UnreadableName extends RequestFailure {}

function undefinedIfUnreadable(failure: unknown): undefined {
	return failure instanceof UnreadableName ? undefined : rethrow(failure);
}

/** Decodes a record of a name; undefined if the resolver returned no data. */
function decodeRecord(asked: AbiFunction, answer = EMPTY_DATA, name: string): string | undefined {
	if (answer === EMPTY_DATA) return undefined;
	const value = catching(DecodingError, () => decodeFunctionResult(asked, answer).result);
	if (typeof value === 'string') return value;
	throw new UnreadableName(`The records of the name ${name} can't be read`, {
		description: value instanceof DecodingError ? `${value.message}.` : undefined,
	});
}

function noRegistryError(registry: string): RequestFailure {
	return new RequestFailure(`There is no registry of names at ${registry}`, {
		description:
			'Only some chains have names. Use a chain node of such a chain, or set the registry of this chain in the options.',
	});
}
