/** Longer names are not compared. */
const MAX_COMPARED_CHARS = 60;
const MAX_COMPARED_NAMES = 2_000;

/** Finds the names that are most similar to an unknown name. */
export function findNearestNames(wanted: string, names: readonly string[], count = 3): string[] {
	return names
		.slice(0, MAX_COMPARED_NAMES)
		.map((name) => ({ name, distance: countEdits(normalize(wanted), normalize(name)) }))
		.sort((a, b) => a.distance - b.distance)
		.slice(0, count)
		.map(({ name }) => name);
}

/** Reduces a name for comparison, so that `balanceOf` and `balance_of` are equal. */
function normalize(name: string): string {
	return name.slice(0, MAX_COMPARED_CHARS).replace(/_/g, '').toLowerCase();
}

/** Counts how many characters must be inserted, deleted or replaced to change one text into the other. */
function countEdits(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let at = 0; at < one.length; at++) {
		const next = [at + 1];
		for (let column = 0; column < other.length; column++) {
			const replaced = (row[column] ?? 0) + (one[at] === other[column] ? 0 : 1);
			next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
