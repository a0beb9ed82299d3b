/** Keeps so many jobs going; the results stand in the order of the items. */
export async function inParallel<T>(
	count: number,
	width: number,
	job: (index: number) => Promise<T>,
): Promise<T[]> {
	const results = new Array<T>(count);
	let next = 0;
	const worker = async () => {
		while (next < count) {
			const index = next++;
			results[index] = await job(index);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
	return results;
}
