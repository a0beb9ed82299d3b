import { ScalarType, type DescEnum, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';

/** Well-known types whose JSON is not an object of their fields, with that JSON. */
const JSON_FORMS: ReadonlyMap<string, string> = new Map([
	['google.protobuf.Any', 'an object: "@type" names a type, its fields are beside it'],
	['google.protobuf.Duration', 'text such as "1.5s"'],
	['google.protobuf.FieldMask', 'text such as "name,owner.id"'],
	['google.protobuf.ListValue', 'any JSON array'],
	['google.protobuf.Struct', 'any JSON object'],
	['google.protobuf.Timestamp', 'text such as "2025-01-31T12:00:00Z"'],
	['google.protobuf.Value', 'any JSON'],
]);

/** The JSON form of a message that is not an object of its fields. */
export function getJsonForm(message: DescMessage): string | undefined {
	if (isWrapperDesc(message)) return `${formatScalarName(message.fields[0].scalar)} or null`;
	return JSON_FORMS.get(message.typeName);
}

export function getValueNames(choice: DescEnum): string[] {
	return choice.values.map(({ name }) => name);
}

/** The type of a field as in a .proto file; for a list, the type of its items. */
export function formatTypeName(field: DescField): string {
	const named = field.message ?? field.enum;
	const type = named ? named.typeName : formatScalarName(field.scalar as ScalarType);
	return field.fieldKind === 'map' ? `map<${formatScalarName(field.mapKey)}, ${type}>` : type;
}

/** Finds a field by its JSON name, or else by its name in the .proto file. */
export function findField(fields: readonly DescField[], key: string): DescField | undefined {
	return fields.find(({ jsonName }) => key === jsonName) ?? fields.find(({ name }) => key === name);
}

function formatScalarName(scalar: ScalarType): string {
	return ScalarType[scalar].toLowerCase();
}

/** Extracts the type name from the `@type` of an Any. */
export function getTypeNameInUrl(url: string): string {
	return url.slice(url.lastIndexOf('/') + 1);
}
