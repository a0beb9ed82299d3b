import type { RestReader } from '../chain/reader';
import { rethrow } from '../values/parse';
import { isNotServed, throwIfError } from './answers';
import { sharedKey } from '../net/pacing/shared';

/** The methods that the node does not serve below `/walletsolidity`, where only irreversible blocks are visible. */
const UNSERVED_METHODS = sharedKey('witness.unservedMethods', () => new Set<string>());

/**
 * Calls a method below `/walletsolidity`, which shows only irreversible blocks. If the node does not serve the method
 * there, calls it below `/wallet`, which shows blocks up to the newest.
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

/** Makes a reader that reads up to the newest block, as if all blocks were irreversible. */
export function readToHead({ call, shared }: RestReader): RestReader {
	return {
		shared,
		call: async ({ path, ...request }) =>
			await call({ ...request, path: path.replace(/^\/walletsolidity\//, '/wallet/') }),
	};
}
