import { JsonPath, MAX_LEVELS } from './jsonPath.mts';

/** Matches strings, with the colon that makes them keys, and brackets and commas. */
const TOKEN_PATTERN = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[[\]{},]/g;

interface Container {
	/** The keys that an object has had so far. */
	readonly keys: Set<string>;
	/** The key that is being read. */
	key?: string;
	index: number;
}

/** Refuses valid JSON with a duplicate key, for which JSON.parse takes the last value, and JSON that is nested too deeply. */
export function checkNesting(text: string): void {
	const around: Container[] = [];
	for (const [token, name, colon] of text.matchAll(TOKEN_PATTERN)) {
		const inner = around.at(-1);
		if (name !== undefined) {
			if (colon && inner) addKey(inner, JSON.parse(name) as string, around);
		} else if (token === ',') {
			if (inner) inner.index++;
		} else if (token === '}' || token === ']') {
			around.pop();
		} else {
			if (around.length === MAX_LEVELS) buildPath(around).throwTooDeep();
			around.push({ keys: new Set(), index: 0 });
		}
	}
}

function addKey(inner: Container, key: string, around: readonly Container[]): void {
	inner.key = key;
	if (inner.keys.has(key)) buildPath(around).throwFault('is given twice');
	inner.keys.add(key);
}

function buildPath(around: readonly Container[]): JsonPath {
	return new JsonPath(around.map(({ key, index }) => key ?? `[${index}]`));
}
