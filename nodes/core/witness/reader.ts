import type { RestReader } from '../chain/reader';
import { rethrow } from '../values/parse';
import { isNotServed, throwIfError } from './answers';
import { sharedKey } from '../net/pacing/shared';

/** The methods that the node does not serve for irreversible blocks. */
const UNSERVED_METHODS = sharedKey('witness.unservedMethods', () => new Set<string>());

/**
 * Asks for something irreversible: the view that holds nothing else, or, where a node does not serve the method there,
 * the view that reaches to the head.
 */
export async function callIrreversible(
	reader: RestReader,
	method: string,
	body: object,
): Promise<unknown> {
	const unserved = reader.shared(UNSERVED_METHODS);
	if (!unserved.has(method)) {
		try {
			return throwIfError(await reader.call({ path: `/walletsolidity/${method}`, body }));
		} catch (failure) {
			if (!isNotServed(failure)) return rethrow(failure);
			unserved.add(method);
		}
	}
	return throwIfError(await reader.call({ path: `/wallet/${method}`, body }));
}

/** A reader for which everything in a block counts as irreversible. */
export function readToHead({ call, shared }: RestReader): RestReader {
	return {
		shared,
		call: async ({ path, ...request }) =>
			await call({ ...request, path: path.replace(/^\/walletsolidity\//, '/wallet/') }),
	};
}
