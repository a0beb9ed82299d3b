/** Decodes n8n's form of stored executions: a list of values, in which a text is the index of another value. */
export function decodeFlattened(text: string): unknown {
	const values = JSON.parse(text) as unknown[];
	const made = new Map<number, unknown>();

	function at(index: number): unknown {
		const value = values[index];
		if (typeof value !== 'object' || value === null) return value;
		if (made.has(index)) return made.get(index);
		const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		made.set(index, copy);
		for (const [key, entry] of Object.entries(value)) {
			(copy as Record<string, unknown>)[key] =
				typeof entry === 'string' ? at(Number(entry)) : entry;
		}
		return copy;
	}

	return at(0);
}
