import { isExpression, isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../errors/invalidInput';
import { isExecution, type NodeContext } from '../context';
import {
	catching,
	parseBoolean,
	InvalidValue,
	isBlank,
	isRecord,
	choicesParser,
	parseNumber,
	choiceParser,
	parseText,
	type Parse,
	parseField,
} from '../values/parse';
import { parsePlainData } from '../values/plainData';
import type { Field, Params } from './field';
import { isLocator } from './locator';
import { raise } from '../errors/raise';

type ParameterValues = Readonly<Record<string, unknown>>;

/** Reads a parameter from n8n, in any context. With `raw`, expressions are not evaluated. */
export type ParameterSource = (field: Field, item: number, raw: boolean) => unknown;

/**
 * Copies the value of a parameter. All parameters pass through here, because the result of an expression may contain
 * code from outside.
 */
function parsePlain(field: Field, given: unknown): unknown {
	const value = catching(InvalidValue, () => parsePlainData(given));
	if (!(value instanceof InvalidValue)) return value;
	throw new InvalidInput(
		`'${field.displayName}' must be ${value.message}`,
		'Write an expression that yields the values themselves.',
	);
}

export function createParameterSource(context: NodeContext): ParameterSource {
	if (!isExecution(context)) {
		// The parameters of polls and triggers belong to no item.
		return ({ name, default: fallback }, _item, raw) =>
			context.getNodeParameter(name, fallback, { rawExpressions: raw });
	}
	const given = ({ name, default: fallback }: Field, item: number, raw: boolean) =>
		context.getNodeParameter(name, item, fallback, { rawExpressions: raw }) as unknown;
	const ofItem = createItemFieldEvaluator(context);
	return (field, item, raw) => {
		const written = given(field, item, true);
		return raw ? written : (ofItem(written, item) ?? given(field, item, false));
	};
}

/**
 * Makes a function that parses the fields of an operation for an item. Fields without an expression are parsed once,
 * because n8n takes about a millisecond for each evaluation.
 */
export function createParameterParser<const Fields extends readonly Field[]>(
	source: ParameterSource,
	fields: Fields,
): (item: number) => Params<Fields> {
	const readers = new Map<Field, (item: number) => unknown>(
		fields.map((field) => [field, createFieldParser(source, field)]),
	);
	return (item) => getShownValues(fields, (field) => readers.get(field)?.(item)) as Params<Fields>;
}

function createFieldParser(source: ParameterSource, field: Field): (item: number) => unknown {
	let fixed: { value: unknown } | undefined;
	let isEvaluated = false;
	return (item) => {
		if (fixed) return fixed.value;
		if (!isEvaluated) {
			const raw = parsePlain(field, source(field, item, true));
			if (!hasExpression(raw)) return (fixed = { value: parseFieldValue(field, raw, []) }).value;
			isEvaluated = true;
		}
		return parseFieldValue(field, parsePlain(field, source(field, item, false)), []);
	};
}

function hasExpression(raw: unknown): boolean {
	if (isExpression(raw)) return true;
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);
}

function parseFieldValue(field: Field, raw: unknown, path: readonly string[]): unknown {
	const labels = [...path, field.displayName];
	if (field.type === 'collection') return parseCollection(field.options, raw, labels);
	if (field.type === 'fixedCollection') return parseFixedCollection(field.options[0], raw, labels);
	const label = labels.join(' > ');
	const given = takesLocator(field, raw) ? getLocatorValue(raw) : raw;
	if (field.required && isBlank(typeof given === 'string' ? given.trim() : given)) {
		throw new InvalidInput(
			`'${label}' is required`,
			`Enter a value in ${label}, or an expression that gives one.`,
		);
	}
	return parseField(label, given, field.parse ?? getDefaultParser(field));
}

/**
 * Whether the value may be a resource locator. A text field may have one, too: the editor keeps the value of a field
 * with the same name when the operation is changed.
 */
function takesLocator({ type }: Field, raw: unknown): boolean {
	return type === 'resourceLocator' || (type === 'string' && isRecord(raw) && raw.__rl === true);
}

/** Returns the value of a resource locator. An expression may also return the value itself. */
function getLocatorValue(raw: unknown): unknown {
	return isLocator(raw) ? raw.value : raw;
}

/** Parses a collection. Only the fields that the user added are in the result. */
function parseCollection(
	fields: readonly Field[],
	raw: unknown,
	labels: readonly string[],
): ParameterValues {
	const added = parseField(labels.join(' > '), raw, parseObject);
	return Object.fromEntries(
		fields
			.filter((field) => field.name in added)
			.map((field) => [field.name, parseFieldValue(field, added[field.name], labels)]),
	);
}

type FieldGroup = Extract<Field, { type: 'fixedCollection' }>['options'][0];

function parseFixedCollection(
	group: FieldGroup,
	raw: unknown,
	labels: readonly string[],
): ParameterValues[] {
	const rows = parseField(labels.join(' > '), raw, parseObject)[group.name] ?? [];
	const list = Array.isArray(rows) ? (rows as unknown[]) : [rows];
	return list.map((row, index) => {
		const rowLabels = [...labels, `${group.displayName} ${index + 1}`];
		const given = parseField(rowLabels.join(' > '), row, parseObject);
		return getShownValues(group.values, (field) =>
			parseFieldValue(field, given[field.name] ?? field.default, rowLabels),
		);
	});
}

/**
 * Reads the fields that are shown. Fields with `show` are read last, because they depend on other fields, which may
 * follow in the list.
 */
function getShownValues(
	fields: readonly Field[],
	read: (field: Field) => unknown,
): ParameterValues {
	const values: Record<string, unknown> = {};
	const dependent = fields.filter(({ show }) => show);
	for (const field of fields) if (!field.show) values[field.name] = read(field);
	for (const field of dependent) if (isShown(field, values)) values[field.name] = read(field);
	return values;
}

function isShown(field: Field, values: ParameterValues): boolean {
	return Object.entries(field.show ?? {}).every(([name, shown]) =>
		shown.some((value) => value === values[name]),
	);
}

const parseObject: Parse<ParameterValues> = (raw) => {
	if (isBlank(raw)) return {};
	return typeof raw === 'object' && !Array.isArray(raw)
		? (raw as ParameterValues)
		: raise(new InvalidValue('an object'));
};

function getDefaultParser(field: Field): Parse {
	switch (field.type) {
		case 'boolean':
			return parseBoolean;
		case 'number':
			return parseNumber;
		case 'options':
			return choiceParser(field.options.map(({ value }) => value));
		case 'multiOptions':
			return choicesParser(field.options.map(({ value }) => value));
		default:
			return parseText;
	}
}

/** Matches only expressions for a field of the item, such as `={{ $json.a["b c"][0] }}`. */
const ITEM_FIELD_PATTERN =
	/^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\["[^"\\{}\n]*"\]|\['[^'\\{}\n]*'\]|\[(?:0|[1-9]\d{0,8})\])+)\s*\}\}$/;
const PATH_STEP_PATTERN = /\.(\w+)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/** Evaluates a parameter without n8n; returns undefined if n8n must evaluate it. */
type EvaluateItemFields = (raw: unknown, item: number) => unknown;

/**
 * Evaluates expressions that only name a field of the item, without n8n. n8n evaluates other expressions, and those
 * whose value is missing or not plain.
 */
export function createItemFieldEvaluator(context: IExecuteFunctions): EvaluateItemFields {
	const items = context.getInputData();
	let isInputItem: boolean | undefined;
	const jsonOf = (item: number) => {
		// In a tool of an AI agent, `$json` is not the input item but the agent's item.
		isInputItem ??= context.getWorkflowDataProxy(0).$json === items[0]?.json;
		return isInputItem ? items[item]?.json : undefined;
	};
	return (raw, item) => fillIn(raw, () => jsonOf(item));
}

function fillIn(raw: unknown, json: () => unknown): unknown {
	if (isExpression(raw)) return evaluateItemField(raw, json);
	if (typeof raw !== 'object' || raw === null) return raw;
	const entries = Object.entries(raw).map(([key, value]) => [key, fillIn(value, json)] as const);
	if (entries.some(([, value]) => value === undefined)) return undefined;
	return Array.isArray(raw) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function evaluateItemField(expression: string, json: () => unknown): unknown {
	const [, path] = ITEM_FIELD_PATTERN.exec(expression) ?? [];
	if (path === undefined) return undefined;
	const names = [...path.matchAll(PATH_STEP_PATTERN)].map(([, ...forms]) =>
		forms.find((name) => name !== undefined),
	);
	const value = names.reduce(getOwnValue, json());
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}

function getOwnValue(value: unknown, name = ''): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	// n8n throws an error for unsafe names. Getters are not called, because they are code from outside.
	return isSafeObjectProperty(name)
		? Object.getOwnPropertyDescriptor(value, name)?.value
		: undefined;
}
