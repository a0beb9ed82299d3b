import type { FieldType, ResourceMapperField } from 'n8n-workflow';
import type {
	FieldDescription,
	MethodDescription,
	TypeDescription,
} from '../../library/schema/describe.mts';

/** The part of a method's description from which the columns of the form are built. */
interface RequestDescription extends Pick<MethodDescription, 'types'> {
	readonly fields: readonly FieldDescription[];
	/** The notation of bytes. */
	readonly bytesAs: string;
}

/** How the editor shows and labels a value. */
interface ColumnForm {
	/** Without a type, n8n takes any text. */
	readonly type?: FieldType;
	readonly label: string;
	readonly choices?: readonly string[];
}

/** The most columns that the editor shows at first. The user can add the others. */
const MAX_DRAWN_COLUMNS = 20;

/** n8n cuts labels after some 25 characters. */
const MAX_NAMED_ALTERNATIVES = 2;

/** The highest number of columns. n8n copies all values for each column, so thousands of columns would take seconds. */
export const MAX_COLUMNS = 500;

/** The limit of a name. */
const MAX_NAME_CHARS = 200;

/** The most choices in all columns together, because each column contains its own copy of an enum's values. */
const MAX_CHOICES = 5_000;

/**
 * Names under which n8n loses values: such a field can be given by JSON only. A name that begins with = would be
 * evaluated as an expression, and n8n's paths put quotes and brackets around names.
 */
const LOST_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const SAFE_NAME_PATTERN = /^(?!=)[^"'`\\[\]\p{Cc}]+$/u;
const isSafeName = (name: string) => name.length <= MAX_NAME_CHARS && SAFE_NAME_PATTERN.test(name);

/**
 * Builds a column for each field. Columns of booleans and messages may be hidden at first: n8n sends shown columns, and false or {} may
 * differ from no value.
 */
export function buildRequestColumns(request: RequestDescription): ResourceMapperField[] {
	const fields = request.fields.filter(({ name }) => isSafeName(name) && !LOST_NAMES.has(name));
	const columns = limitChoices(fields.map((field) => ({ field, form: getForm(field, request) })));
	const drawable = columns.filter(({ field, form }) => !isGivenWhenDrawn(field, form, request));
	const drawn = new Set(drawable.slice(0, MAX_DRAWN_COLUMNS));
	return columns.map((column) => {
		const { field, form } = column;
		const { name, required = false } = field;
		return {
			id: name,
			displayName: `${name} (${form.label})${formatAlternatives(field, fields)}`,
			required,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			removed: !required && !drawn.has(column),
			...buildColumnType(form),
		};
	});
}

interface Column {
	readonly field: FieldDescription;
	readonly form: ColumnForm;
}

/** Removes the choices from columns if there are too many in total. The user then types a name. */
function limitChoices(columns: readonly Column[]): readonly Column[] {
	const count = columns.reduce((sum, { form }) => sum + (form.choices?.length ?? 0), 0);
	if (count <= MAX_CHOICES) return columns;
	return columns.map(({ field, form: { type, label } }) => ({
		field,
		form: { type: type === 'options' ? 'string' : type, label },
	}));
}

function isGivenWhenDrawn(
	field: FieldDescription,
	{ type }: ColumnForm,
	request: RequestDescription,
): boolean {
	if (field.repeated || field.type.startsWith('map<')) return false;
	if (type === 'object' || type === 'array') return true;
	const hasAbsence = field.oneof !== undefined || field.optional || isWrapped(field, request);
	return type === 'boolean' && hasAbsence;
}

/** Builds the type of a column. JSON columns get a default value, because n8n marks empty JSON as wrong. */
function buildColumnType({ type, choices }: ColumnForm): Partial<ResourceMapperField> {
	return {
		...(type && { type }),
		...(type === 'object' && { defaultValue: '{}' }),
		...(type === 'array' && { defaultValue: '[]' }),
		...(choices && { options: choices.map((name) => ({ name, value: name })) }),
	};
}

/** The types of columns by the scalar types of protobuf. Integers of 64 bits are text, because numbers in the editor lose digits. */
const SCALAR_FIELD_TYPES: ReadonlyMap<string, FieldType> = new Map([
	...['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'].map((type) => [type, 'number'] as const),
	...['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'].map((type) => [type, 'string'] as const),
	...['float', 'double'].map((type) => [type, 'number'] as const),
	['bool', 'boolean'] as const,
	['string', 'string'] as const,
	['bytes', 'string'] as const,
]);

function getForm(field: FieldDescription, { types, bytesAs }: RequestDescription): ColumnForm {
	const { type, repeated } = field;
	if (type.startsWith('map<')) return { type: 'object', label: shortenType(type) };
	const form = getTypeForm(type, types[type], bytesAs);
	return repeated ? { type: 'array', label: `list of ${form.label}` } : form;
}

/** Returns the form of a value. `described` is undefined for scalars, and for a recursive message that is described only once. */
function getTypeForm(
	type: string,
	described: TypeDescription | undefined,
	bytesAs: string,
): ColumnForm {
	if (described) return getDescribedForm(type, described, bytesAs);
	const label = type === 'bytes' ? bytesAs : shortenType(type);
	return { type: SCALAR_FIELD_TYPES.get(type) ?? 'object', label };
}

function getDescribedForm(type: string, described: TypeDescription, bytesAs: string): ColumnForm {
	const label = shortenType(type);
	if ('values' in described) {
		return { type: 'options', label, choices: described.values.filter(isSafeName) };
	}
	if ('fields' in described) return { type: 'object', label };
	const wrapped = getWrappedType(described);
	return wrapped
		? getTypeForm(wrapped, undefined, bytesAs)
		: (WELL_KNOWN_FORMS.get(type) ?? { type: 'object', label });
}

const WELL_KNOWN_FORMS: ReadonlyMap<string, ColumnForm> = new Map([
	['google.protobuf.Any', { type: 'object', label: 'Any, with "@type"' }],
	['google.protobuf.Duration', { type: 'string', label: 'such as 1.5s' }],
	['google.protobuf.FieldMask', { type: 'string', label: 'such as name,owner.id' }],
	['google.protobuf.ListValue', { type: 'array', label: 'any JSON array' }],
	['google.protobuf.Struct', { type: 'object', label: 'any JSON object' }],
	['google.protobuf.Timestamp', { type: 'dateTime', label: 'Timestamp' }],
	['google.protobuf.Value', { label: 'any JSON' }],
] as const);

function isWrapped({ type }: FieldDescription, { types }: RequestDescription): boolean {
	const described = types[type];
	return described !== undefined && getWrappedType(described) !== undefined;
}

/** Returns the scalar type that a wrapper message contains. */
function getWrappedType(described: TypeDescription): string | undefined {
	const [, wrapped] = 'json' in described ? (/^(\w+) or null$/.exec(described.json) ?? []) : [];
	return wrapped;
}

/** Returns the type's name without its package. A long name is cut. */
function shortenType(type: string): string {
	const name = type.replace(/\b[\w.]*\./g, '');
	return name.length <= MAX_NAME_CHARS ? name : `${name.slice(0, MAX_NAME_CHARS)}…`;
}

/** Lists the other fields of a oneof, of which only one may be given. */
function formatAlternatives(
	{ name, oneof }: FieldDescription,
	fields: readonly FieldDescription[],
) {
	if (oneof === undefined) return '';
	const others = fields.filter((one) => one.oneof === oneof && one.name !== name);
	if (others.length === 0) return '';
	const named = others.slice(0, MAX_NAMED_ALTERNATIVES).map((one) => one.name);
	return ` or ${named.join(', ')}${others.length > MAX_NAMED_ALTERNATIVES ? ', …' : ''}`;
}
