/** Collects the results of pages until there are as many as wanted. */
export async function collectPages<T>(
	lists: AsyncIterable<readonly T[]>,
	wanted = Infinity,
	results: T[] = [],
): Promise<T[]> {
	for await (const list of lists) {
		// A spread such as `push(...list)` would fail for a list with more entries than a call can have arguments.
		for (const one of list) results.push(one);
		if (results.length >= wanted) break;
	}
	return results;
}
