import { type IExecuteFunctions, isExpression, isSafeObjectProperty } from 'n8n-workflow';

/** `={{ $json.a["b c"][0] }}` and nothing beside it. */
const FIELD_OF_ITEM =
	/^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\["[^"\\{}\n]*"\]|\['[^'\\{}\n]*'\]|\[(?:0|[1-9]\d{0,8})\])+)\s*\}\}$/;
const STEP = /\.(\w+)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/** What a parameter is for an item, or undefined where only n8n can tell. */
export type ItemFields = (raw: unknown, item: number) => unknown;

/**
 * Reads expressions that only name a field of the item without evaluating them, which costs n8n about a millisecond
 * each. Anything else, and what is not there or not a plain value, is left to n8n.
 */
export function itemFields(context: IExecuteFunctions): ItemFields {
	const items = context.getInputData();
	let isTheirs: boolean | undefined;
	const jsonOf = (item: number) => {
		// To an AI agent's tool, $json is the item of the agent, not the input.
		isTheirs ??= context.getWorkflowDataProxy(0).$json === items[0]?.json;
		return isTheirs ? items[item]?.json : undefined;
	};
	return (raw, item) => filledIn(raw, () => jsonOf(item));
}

function filledIn(raw: unknown, json: () => unknown): unknown {
	if (isExpression(raw)) return fieldNamed(raw, json);
	if (typeof raw !== 'object' || raw === null) return raw;
	const entries = Object.entries(raw).map(([key, value]) => [key, filledIn(value, json)] as const);
	if (entries.some(([, value]) => value === undefined)) return undefined;
	return Array.isArray(raw) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function fieldNamed(expression: string, json: () => unknown): unknown {
	const [, path] = FIELD_OF_ITEM.exec(expression) ?? [];
	if (path === undefined) return undefined;
	const names = [...path.matchAll(STEP)].map(([, ...forms]) =>
		forms.find((name) => name !== undefined),
	);
	const value = names.reduce(own, json());
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}

function own(value: unknown, name = ''): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	// What n8n forbids is left for n8n to refuse.
	if (!Object.hasOwn(value, name) || !isSafeObjectProperty(name)) return undefined;
	return (value as Readonly<Record<string, unknown>>)[name];
}
