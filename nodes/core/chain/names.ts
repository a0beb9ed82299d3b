import { decodeResult, encodeCall, functionIn } from '../abi/call';
import { DecodingError } from '../abi/data';
import type { AbiFunction } from '../abi/entry';
import { RequestFailure } from '../errors/requestFailure';
import { isOfContract, revertData } from '../responses/reverts';
import type { Caller } from '../rpc/chain';
import { hexOf } from '../values/hex';
import { chainName, dnsName, nodesOf } from '../values/names';
import { attempt, InvalidValue } from '../values/read';
import { hexString } from './objects';

/** Where ENS is, on every chain that it is on. */
export const REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';

const RESOLVER = functionIn('resolver(bytes32 node) returns (address)');
const SUPPORTS = functionIn('supportsInterface(bytes4 id) returns (bool)');
const RESOLVE = functionIn('resolve(bytes name, bytes data) returns (bytes)');
const RECORDS = {
	address: functionIn('addr(bytes32 node) returns (address)'),
	text: functionIn('text(bytes32 node, string key) returns (string)'),
	name: functionIn('name(bytes32 node) returns (string)'),
} as const;

/** Of a resolver that answers for all names below its own (ENSIP-10). */
const FOR_NAMES_BELOW = '0x9061b923';
const ZERO = `0x${'0'.repeat(40)}`;
/** `OffchainLookup(address,string[],bytes,bytes4,bytes)` of EIP-3668. */
const OFFCHAIN = '0x556f1830';

/** Asks for a record of a name; undefined where there is none. */
type Records = (kind: keyof typeof RECORDS, ...given: string[]) => Promise<string | undefined>;

/** The address of a name, and texts that it has; null for what it has not. */
export async function readName(
	chain: Caller,
	registry: string,
	name: string,
	keys: readonly string[],
) {
	const recordOf = await recordsOf(chain, registry, name);
	const [address, ...texts] = await Promise.all([
		recordOf('address'),
		...keys.map(async (key) => await recordOf('text', key)),
	]);
	return {
		address: address === undefined || address === ZERO ? null : address,
		records: Object.fromEntries(keys.map((key, index) => [key, texts[index] || null])),
	};
}

/** The name that an address calls itself, if it is the name of this address; else null. */
export async function nameOf(chain: Caller, registry: string, address: string) {
	const reverse = `${address.slice(2).toLowerCase()}.addr.reverse`;
	const claiming = recordsOf(chain, registry, reverse).then(
		async (recordOf) => await recordOf('name'),
	);
	const name = await claiming.catch(nothingIfUnreadable);
	// Another spelling is another name: whoever reads it could be deceived.
	if (!name || attempt(InvalidValue, () => chainName(name)) !== name) return null;
	const found = await readName(chain, registry, name, []).catch(nothingIfUnreadable);
	return found?.address?.toLowerCase() === address.toLowerCase() ? name : null;
}

/** Of a name without a resolver there are none. */
async function recordsOf(chain: Caller, registry: string, name: string): Promise<Records> {
	const nodes = nodesOf(name).map(hexOf);
	const [node = ''] = nodes;
	const resolvers = await Promise.all(
		nodes.map(async (one) => await resolverOf(chain, registry, one)),
	);
	const resolver = resolvers.find((one) => one !== ZERO);
	const isOwn = resolver === resolvers[0];
	const asksBelow = resolver !== undefined && (await answersBelow(chain, resolver, name));
	return async (kind, ...given) => {
		if (resolver === undefined || !(isOwn || asksBelow)) return undefined;
		const asked = RECORDS[kind];
		const question = encodeCall(asked, [node, ...given]);
		const ask = async (data: string) => await answerOf(chain, resolver, data, name);
		if (!asksBelow) return valueIn(asked, await ask(question), name);
		const passed = await ask(encodeCall(RESOLVE, [hexOf(dnsName(name)), question]));
		return valueIn(asked, valueIn(RESOLVE, passed, name), name);
	};
}

async function resolverOf(chain: Caller, registry: string, node: string): Promise<string> {
	const data = encodeCall(RESOLVER, [node]);
	const answer = returnData(await chain.call('eth_call', [{ to: registry, data }, 'latest']));
	const resolver = attempt(DecodingError, () => decodeResult(RESOLVER, answer).result);
	return typeof resolver === 'string' ? resolver : noRegistry(registry);
}

async function answersBelow(chain: Caller, resolver: string, name: string): Promise<boolean> {
	const data = encodeCall(SUPPORTS, [FOR_NAMES_BELOW]);
	const answer = await answerOf(chain, resolver, data, name);
	const told = attempt(DecodingError, () => decodeResult(SUPPORTS, answer).result);
	return told === true;
}

const NOTHING = '0x';

/** What a contract of the names returned; nothing where it has no such function or fails. */
async function answerOf(chain: Caller, to: string, data: string, name: string): Promise<string> {
	const answer = await chain
		.call('eth_call', [{ to, data }, 'latest'])
		.catch(async (failure) =>
			failure instanceof RequestFailure && isOfContract(failure)
				? nothingUnlessOffchain(failure, name)
				: await Promise.reject(failure),
		);
	return returnData(answer);
}

const returnData = hexString('return data as 0x-hex');

function nothingUnlessOffchain({ answer }: RequestFailure, name: string): string {
	if (!revertData(answer)?.toLowerCase().startsWith(OFFCHAIN)) return NOTHING;
	throw new Unreadable(`The name ${name} must be asked off-chain`, {
		description:
			'Its resolver sends those who ask to a server outside of the chain (EIP-3668), which this node does not follow.',
	});
}

/** By the doing of a resolver, which is anybody's. */
class Unreadable extends RequestFailure {}

async function nothingIfUnreadable(failure: unknown): Promise<undefined> {
	return failure instanceof Unreadable ? undefined : await Promise.reject(failure);
}

/** Undefined where nothing was returned. */
function valueIn(asked: AbiFunction, answer = NOTHING, name: string): string | undefined {
	if (answer === NOTHING) return undefined;
	const value = attempt(DecodingError, () => decodeResult(asked, answer).result);
	if (typeof value === 'string') return value;
	throw new Unreadable(`What the chain tells of the name ${name} can't be read`, {
		description: value instanceof DecodingError ? `${value.message}.` : undefined,
	});
}

function noRegistry(registry: string): never {
	throw new RequestFailure(`There is no registry of names at ${registry}`, {
		description:
			'Names live on some chains only. Use a node of such a chain, or name the registry of this one in the options.',
	});
}
