/** Collects results from pages until the limit is reached. */
export async function collectPages<T>(
	lists: AsyncIterable<readonly T[]>,
	wanted = Infinity,
	results: T[] = [],
): Promise<T[]> {
	for await (const list of lists) {
		// Not `push(...list)`: a list may be longer than a call may have arguments.
		for (const one of list) results.push(one);
		if (results.length >= wanted) break;
	}
	return results;
}
