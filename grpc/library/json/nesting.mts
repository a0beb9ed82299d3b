import { JsonPath, MAX_LEVELS } from './jsonPath.mts';

/** Strings, with the colon that makes them keys, and what opens, divides and closes. */
const TOKEN_PATTERN = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[[\]{},]/g;

interface Container {
	/** Those that an object has had. */
	readonly keys: Set<string>;
	/** The one that is read. */
	key?: string;
	index: number;
}

/** Refuses valid JSON with an object that has a key twice, of which JSON.parse takes the last, and what lies too deep. */
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
