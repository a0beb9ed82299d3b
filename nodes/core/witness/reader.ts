import { throwAgain } from '../values/parse';
import type { RestRequest } from '../transport/rest/rest';
import { isNotServed, throwIfError } from './answers';

/** A node of the witness chain that can be called. */
export interface WitnessCaller {
	call(request: RestRequest): Promise<unknown>;
}

/** A caller with memory. */
export interface WitnessReader extends WitnessCaller {
	/** A value that is made when it is first asked for, and stays as long as the run or the poll lives. */
	shared<T>(create: () => T): T;
}

/** The methods that the node does not serve of what is irreversible. */
const createUnservedMethods = () => new Set<string>();

/**
 * Asks for something irreversible: the view that holds nothing else, or, where a node does not serve the method there,
 * the view that reaches to the head.
 */
export async function callIrreversible(
	reader: WitnessReader,
	method: string,
	body: object,
): Promise<unknown> {
	const unserved = reader.shared(createUnservedMethods);
	if (!unserved.has(method)) {
		try {
			return throwIfError(await reader.call({ path: `/walletsolidity/${method}`, body }));
		} catch (failure) {
			if (!isNotServed(failure)) return throwAgain(failure);
			unserved.add(method);
		}
	}
	return throwIfError(await reader.call({ path: `/wallet/${method}`, body }));
}
