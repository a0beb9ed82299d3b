import { RequestFailure } from '../errors/requestFailure';
import { decodeRevertReason, findRevertData, isContractFailure } from '../net/responses/reverts';
import { formatExcerpt } from '../values/excerpt';
import { catching, rethrow } from '../values/parse';
import { abiParser } from './abi/abi';
import { decodeBySelector, encodeInputs, parseFunction } from './abi/call';
import { DecodingError } from './abi/data';
import {
	LookupServers,
	OffchainFailure,
	type FileReader,
	type ServerQuestion,
} from './lookupServers';
import type { RpcCaller } from '../chain/reader';

/** Reads contracts of a chain, and downloads files without sending the credential. */
export type OffchainReader = RpcCaller & FileReader;

const { errors: LOOKUP_ERRORS } = abiParser('error')(
	'OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
);
const CALLBACK = parseFunction('callback(bytes response, bytes extraData)');
const MAX_LOOKUPS = 4;

/** The question that a contract puts to servers (EIP-3668), and its function that takes the answer. */
interface Lookup extends ServerQuestion {
	readonly callbackFunction: string;
	readonly extraData: string;
}

/**
 * The outcome of a call: the answer, or a look-up at servers that the contract demands. `failure` is set if the call
 * failed.
 */
interface Outcome {
	readonly answer?: unknown;
	readonly lookup?: Lookup;
	readonly failure?: RequestFailure;
}

/** Calls a contract, and asks servers if the contract demands it (EIP-3668). Returns undefined if the contract fails. */
export async function callWithLookups(
	chain: OffchainReader,
	contract: string,
	data: string,
): Promise<unknown> {
	const servers = new LookupServers(chain);
	let { answer, lookup } = await callOnce(chain, contract, data);
	for (let count = 1; lookup; count++) {
		if (count > MAX_LOOKUPS) {
			throw new OffchainFailure(
				`The contract ${contract} can't be read: it takes its data from web servers, and asks them more than ${MAX_LOOKUPS} times`,
			);
		}
		const response = await servers.ask(lookup);
		const outcome = await callOnce(chain, contract, encodeCallback(lookup, response));
		if (outcome.failure) throw refusedError(contract, outcome.failure);
		({ answer, lookup } = outcome);
	}
	return answer;
}

async function callOnce(reader: RpcCaller, to: string, data: string): Promise<Outcome> {
	try {
		return { answer: await reader.call('eth_call', [{ to, data }, 'latest']) };
	} catch (failure) {
		if (!(failure instanceof RequestFailure && isContractFailure(failure))) return rethrow(failure);
		const lookup = decodeLookup(to, findRevertData(failure.answer));
		return lookup ? { lookup } : { failure };
	}
}

/** Decodes the revert with which a contract demands a look-up at servers (EIP-3668). */
function decodeLookup(contract: string, revertData: string | undefined): Lookup | undefined {
	const found = catching(DecodingError, () => decodeBySelector(LOOKUP_ERRORS, revertData));
	if (!found) return undefined;
	if (found instanceof DecodingError)
		throw new OffchainFailure(
			`The contract ${contract} keeps its data on a server, but names the server in a form that can't be read`,
		);
	const [sender, urls, callData, callbackFunction, extraData] = found.values;
	// A contract that asks in the name of another contract is refused, because the answer would go to the wrong contract.
	if (String(sender).toLowerCase() !== contract.toLowerCase()) {
		throw new OffchainFailure(
			`The contract ${contract} can't be read: it asks for data from a web server, but in the name of another contract, ${String(sender)}`,
		);
	}
	return {
		urls: Array.isArray(urls) ? urls.map(String) : [],
		sender: contract.toLowerCase(),
		callData: String(callData),
		callbackFunction: String(callbackFunction),
		extraData: String(extraData),
	};
}

function encodeCallback({ callbackFunction, extraData }: Lookup, response: string): string {
	return callbackFunction + encodeInputs(CALLBACK.inputs, [response, extraData]);
}

function refusedError(contract: string, { answer, message }: RequestFailure): OffchainFailure {
	const reason = decodeRevertReason(findRevertData(answer)) ?? message;
	return new OffchainFailure(
		`The contract ${contract} can't be read: it takes its data from a web server, and refuses the server's answer: ${formatExcerpt(reason)}`,
	);
}
