import type { FieldType, ResourceMapperField } from 'n8n-workflow';
import type {
	FieldDescription,
	MethodDescription,
	TypeDescription,
} from '../../library/schema/describe.mts';

/** What the editor draws for the request of a method. */
interface Request extends Pick<MethodDescription, 'types'> {
	readonly fields: readonly FieldDescription[];
	/** What bytes are written as. */
	readonly bytesAs: string;
}

/** How a value is drawn and named. */
interface Form {
	/** Without one, n8n takes any text. */
	readonly type?: FieldType;
	readonly label: string;
	readonly choices?: readonly string[];
}

/** More than these are offered, but not drawn. */
const MOST_DRAWN = 20;

/** n8n cuts off what is longer than some 25 characters. */
const MOST_NAMED = 2;

/** n8n takes seconds to draw thousands, as it copies all values for each of them. */
export const MOST_COLUMNS = 500;

/** Of a name. */
const LONGEST = 200;

/** Of all columns: each holds its own copy of what an enum offers. */
const MOST_CHOICES = 5_000;

/**
 * Names under which n8n loses values: such a field can be given by JSON only. What begins with = would be evaluated as an
 * expression, and quotes and brackets stand around names in its paths.
 */
const LOST: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const SAFE = /^(?!=)[^"'`\\[\]\p{Cc}]+$/u;
const isSafe = (name: string) => name.length <= LONGEST && SAFE.test(name);

/**
 * A column for each field. A flag or a message that is drawn is given, so those for which nothing means something else than
 * false or {} are offered only.
 */
export function requestColumns(request: Request): ResourceMapperField[] {
	const fields = request.fields.filter(({ name }) => isSafe(name) && !LOST.has(name));
	const columns = withFewChoices(fields.map((field) => ({ field, form: formOf(field, request) })));
	const drawable = columns.filter(({ field, form }) => !isGivenWhenDrawn(field, form, request));
	const drawn = new Set(drawable.slice(0, MOST_DRAWN));
	return columns.map((column) => {
		const { field, form } = column;
		const { name, required = false } = field;
		return {
			id: name,
			displayName: `${name} (${form.label})${alternatives(field, fields)}`,
			required,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			removed: !required && !drawn.has(column),
			...typed(form),
		};
	});
}

interface Column {
	readonly field: FieldDescription;
	readonly form: Form;
}

/** Where there are too many choices, their names are typed. */
function withFewChoices(columns: readonly Column[]): readonly Column[] {
	const count = columns.reduce((sum, { form }) => sum + (form.choices?.length ?? 0), 0);
	if (count <= MOST_CHOICES) return columns;
	return columns.map(({ field, form: { type, label } }) => ({
		field,
		form: { type: type === 'options' ? 'string' : type, label },
	}));
}

function isGivenWhenDrawn(field: FieldDescription, { type }: Form, request: Request): boolean {
	if (field.repeated || field.type.startsWith('map<')) return false;
	if (type === 'object' || type === 'array') return true;
	const hasAbsence = field.oneof !== undefined || field.optional || isWrapped(field, request);
	return type === 'boolean' && hasAbsence;
}

/** n8n marks JSON as wrong while it is empty. */
function typed({ type, choices }: Form): Partial<ResourceMapperField> {
	return {
		...(type && { type }),
		...(type === 'object' && { defaultValue: '{}' }),
		...(type === 'array' && { defaultValue: '[]' }),
		...(choices && { options: choices.map((name) => ({ name, value: name })) }),
	};
}

/** Integers of 64 bits are text, because a number of the editor loses digits. */
const SCALARS: ReadonlyMap<string, FieldType> = new Map([
	...['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'].map((type) => [type, 'number'] as const),
	...['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'].map((type) => [type, 'string'] as const),
	...['float', 'double'].map((type) => [type, 'number'] as const),
	...[['bool', 'boolean'] as const, ['string', 'string'] as const, ['bytes', 'string'] as const],
]);

function formOf(field: FieldDescription, { types, bytesAs }: Request): Form {
	const { type, repeated } = field;
	if (type.startsWith('map<')) return { type: 'object', label: shortened(type) };
	const form = formOfType(type, types[type], bytesAs);
	return repeated ? { type: 'array', label: `list of ${form.label}` } : form;
}

/** A message that holds itself is not described again. */
function formOfType(type: string, described: TypeDescription | undefined, bytesAs: string): Form {
	if (described) return formOfDescribed(type, described, bytesAs);
	const label = type === 'bytes' ? bytesAs : shortened(type);
	return { type: SCALARS.get(type) ?? 'object', label };
}

function formOfDescribed(type: string, described: TypeDescription, bytesAs: string): Form {
	const label = shortened(type);
	if ('values' in described) {
		return { type: 'options', label, choices: described.values.filter(isSafe) };
	}
	if ('fields' in described) return { type: 'object', label };
	const wrapped = wrappedIn(described);
	return wrapped
		? formOfType(wrapped, undefined, bytesAs)
		: (WELL_KNOWN.get(type) ?? { type: 'object', label });
}

const WELL_KNOWN: ReadonlyMap<string, Form> = new Map([
	['google.protobuf.Any', { type: 'object', label: 'Any, with "@type"' }],
	['google.protobuf.Duration', { type: 'string', label: 'such as 1.5s' }],
	['google.protobuf.FieldMask', { type: 'string', label: 'such as name,owner.id' }],
	['google.protobuf.ListValue', { type: 'array', label: 'any JSON array' }],
	['google.protobuf.Struct', { type: 'object', label: 'any JSON object' }],
	['google.protobuf.Timestamp', { type: 'dateTime', label: 'Timestamp' }],
	['google.protobuf.Value', { label: 'any JSON' }],
] as const);

function isWrapped({ type }: FieldDescription, { types }: Request): boolean {
	const described = types[type];
	return described !== undefined && wrappedIn(described) !== undefined;
}

/** The scalar in a wrapper. */
function wrappedIn(described: TypeDescription): string | undefined {
	const [, wrapped] = 'json' in described ? (/^(\w+) or null$/.exec(described.json) ?? []) : [];
	return wrapped;
}

/** Without the package. */
function shortened(type: string): string {
	const name = type.replace(/\b[\w.]*\./g, '');
	return name.length <= LONGEST ? name : `${name.slice(0, LONGEST)}…`;
}

/** Of a choice, of which only one field may be given, the others. */
function alternatives({ name, oneof }: FieldDescription, fields: readonly FieldDescription[]) {
	if (oneof === undefined) return '';
	const others = fields.filter((one) => one.oneof === oneof && one.name !== name);
	if (others.length === 0) return '';
	const named = others.slice(0, MOST_NAMED).map((one) => one.name);
	return ` or ${named.join(', ')}${others.length > MOST_NAMED ? ', …' : ''}`;
}
