import { isExpression, isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';
import { InvalidInput } from '../../../credentials/invalidInput';
import { isExecution, type NodeContext } from '../context';
import {
	attempt,
	boolean,
	InvalidValue,
	isBlank,
	isRecord,
	manyOf,
	mustBe,
	number,
	oneOf,
	readAs,
	text,
	type Read,
} from '../values/read';
import { plainData } from '../values/plainData';
import type { Field, Params } from './field';

type Given = Readonly<Record<string, unknown>>;

/** n8n's name for it, among the conditions under which a field is shown. */
const VERSION = '@version';

/** n8n's getNodeParameter, whatever the context; `raw` leaves expressions unevaluated. */
interface ParameterSource {
	(field: Field, item: number, raw: boolean): unknown;
	/** The version of the node that the workflow holds; 1 unless told. */
	readonly version?: number;
}

/** For polls and triggers, n8n's getNodeParameter takes no item. */
export function parameterSource(context: NodeContext): ParameterSource {
	return Object.assign(unversioned(context), { version: context.getNode().typeVersion });
}

/** The one place through which values of parameters come in: what an expression gave is foreign code until it is copied. */
function plain(field: Field, given: unknown): unknown {
	const value = attempt(InvalidValue, () => plainData(given));
	if (!(value instanceof InvalidValue)) return value;
	throw new InvalidInput(
		`'${field.displayName}' must be ${value.message}`,
		'Write an expression that yields the values themselves.',
	);
}

function unversioned(context: NodeContext): ParameterSource {
	if (!isExecution(context)) {
		return ({ name, default: fallback }, _item, raw) =>
			context.getNodeParameter(name, fallback, { rawExpressions: raw });
	}
	const given = ({ name, default: fallback }: Field, item: number, raw: boolean) =>
		context.getNodeParameter(name, item, fallback, { rawExpressions: raw }) as unknown;
	const ofItem = itemFields(context);
	return (field, item, raw) => {
		const written = given(field, item, true);
		return raw ? written : (ofItem(written, item) ?? given(field, item, false));
	};
}

/**
 * Reads the fields of an operation for each item. A field without an expression is read once for all items: n8n takes
 * about a millisecond to evaluate a parameter.
 */
export function parameterReader<const Fields extends readonly Field[]>(
	source: ParameterSource,
	fields: Fields,
): (item: number) => Params<Fields> {
	const offered = ofVersion(source.version ?? 1, fields);
	const readers = new Map<Field, (item: number) => unknown>(
		offered.map((field) => [field, fieldReader(source, field)]),
	);
	return (item) => shownValues(offered, (field) => readers.get(field)?.(item)) as Params<Fields>;
}

/** Those that the node has in a version, as if there were no other version. */
function ofVersion(version: number, fields: readonly Field[]): Field[] {
	return fields
		.filter(({ show }) => show?.[VERSION]?.includes(version) ?? true)
		.map((field) => {
			const { [VERSION]: versions, ...show } = field.show ?? {};
			const shown = versions ? { ...field, show } : field;
			if (shown.type === 'collection')
				return { ...shown, options: ofVersion(version, shown.options) };
			if (shown.type !== 'fixedCollection') return shown;
			const [group] = shown.options;
			return { ...shown, options: [{ ...group, values: ofVersion(version, group.values) }] };
		});
}

function fieldReader(source: ParameterSource, field: Field): (item: number) => unknown {
	let fixed: { value: unknown } | undefined;
	let isEvaluated = false;
	return (item) => {
		if (fixed) return fixed.value;
		if (!isEvaluated) {
			const raw = plain(field, source(field, item, true));
			if (!holdsExpression(raw)) return (fixed = { value: valueOf(field, raw, []) }).value;
			isEvaluated = true;
		}
		return valueOf(field, plain(field, source(field, item, false)), []);
	};
}

function holdsExpression(raw: unknown): boolean {
	if (isExpression(raw)) return true;
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(holdsExpression);
}

function valueOf(field: Field, raw: unknown, path: readonly string[]): unknown {
	const labels = [...path, field.displayName];
	if (field.type === 'collection') return collection(field.options, raw, labels);
	if (field.type === 'fixedCollection') return entries(field.options[0], raw, labels);
	const label = labels.join(' > ');
	const given = field.type === 'resourceLocator' ? located(raw) : raw;
	if (field.required && isBlank(typeof given === 'string' ? given.trim() : given)) {
		throw new InvalidInput(
			`'${label}' is required`,
			'Enter a value, or an expression that yields one.',
		);
	}
	return readAs(label, given, field.read ?? readerFor(field));
}

/** An expression may give a resource locator's value itself. */
function located(raw: unknown): unknown {
	return isRecord(raw) && 'value' in raw ? raw.value : raw;
}

/** Only the fields that the user added. */
function collection(fields: readonly Field[], raw: unknown, labels: readonly string[]): Given {
	const added = readAs(labels.join(' > '), raw, object);
	return Object.fromEntries(
		fields
			.filter((field) => field.name in added)
			.map((field) => [field.name, valueOf(field, added[field.name], labels)]),
	);
}

type Group = Extract<Field, { type: 'fixedCollection' }>['options'][0];

function entries(group: Group, raw: unknown, labels: readonly string[]): Given[] {
	const rows = readAs(labels.join(' > '), raw, object)[group.name] ?? [];
	const list = Array.isArray(rows) ? (rows as unknown[]) : [rows];
	return list.map((row, index) => {
		const rowLabels = [...labels, `${group.displayName} ${index + 1}`];
		const given = readAs(rowLabels.join(' > '), row, object);
		return shownValues(group.values, (field) =>
			valueOf(field, given[field.name] ?? field.default, rowLabels),
		);
	});
}

/** Fields with `show` are read last: what they depend on may stand anywhere. */
function shownValues(fields: readonly Field[], read: (field: Field) => unknown): Given {
	const values: Record<string, unknown> = {};
	const dependent = fields.filter(({ show }) => show);
	for (const field of fields) if (!field.show) values[field.name] = read(field);
	for (const field of dependent) if (isShown(field, values)) values[field.name] = read(field);
	return values;
}

function isShown(field: Field, values: Given): boolean {
	return Object.entries(field.show ?? {}).every(([name, shown]) =>
		shown.some((value) => value === values[name]),
	);
}

const object: Read<Given> = (raw) => {
	if (isBlank(raw)) return {};
	return typeof raw === 'object' && !Array.isArray(raw) ? (raw as Given) : mustBe('an object');
};

function readerFor(field: Field): Read {
	switch (field.type) {
		case 'boolean':
			return boolean;
		case 'number':
			return number;
		case 'options':
			return oneOf(field.options.map(({ value }) => value));
		case 'multiOptions':
			return manyOf(field.options.map(({ value }) => value));
		default:
			return text;
	}
}

/** `={{ $json.a["b c"][0] }}` and nothing else. */
const FIELD_OF_ITEM =
	/^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\["[^"\\{}\n]*"\]|\['[^'\\{}\n]*'\]|\[(?:0|[1-9]\d{0,8})\])+)\s*\}\}$/;
const STEP = /\.(\w+)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;

/** Undefined where n8n has to evaluate. */
type ItemFields = (raw: unknown, item: number) => unknown;

/**
 * Reads expressions that only name a field of the item, without n8n. All others, and values that are missing or not
 * plain, are left to it.
 */
export function itemFields(context: IExecuteFunctions): ItemFields {
	const items = context.getInputData();
	let isTheirs: boolean | undefined;
	const jsonOf = (item: number) => {
		// In an AI agent's tool, $json is the agent's item, not the input.
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
	// n8n throws for unsafe names, and a getter is code of others.
	return isSafeObjectProperty(name)
		? Object.getOwnPropertyDescriptor(value, name)?.value
		: undefined;
}
