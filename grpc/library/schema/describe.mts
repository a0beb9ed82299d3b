import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { getJsonForm, formatTypeName, getValueNames } from '../descriptors/typeNames.mts';

const METHOD_KINDS = {
	unary: 'unary',
	server_streaming: 'serverStreaming',
	client_streaming: 'clientStreaming',
	bidi_streaming: 'bidirectional',
} as const;

export interface MethodDescription {
	readonly service: string;
	readonly method: string;
	readonly kind: (typeof METHOD_KINDS)[keyof typeof METHOD_KINDS];
	readonly request: MessageDescription;
	readonly response: MessageDescription;
	/** All message and enum types of their fields, by name. */
	readonly types: Readonly<Record<string, TypeDescription>>;
}

export type MessageDescription = { readonly type: string } & TypeFields;

/** A message or an enum. */
export type TypeDescription = TypeFields | { readonly values: readonly string[] };

/** The value `json` marks well-known types with a JSON form of their own. */
type TypeFields = { readonly fields: readonly FieldDescription[] } | { readonly json: string };

export interface FieldDescription {
	readonly name: string;
	/** The type as in a .proto file; for a list, the type of its items. */
	readonly type: string;
	readonly repeated?: true;
	/** The name of the oneof that the field belongs to. */
	readonly oneof?: string;
	/** Whether the default value, if it is set, differs from an unset field. */
	readonly optional?: true;
	readonly required?: true;
}

export function describeMethod(method: DescMethod): MethodDescription {
	const { parent, name, methodKind, input, output } = method;
	const types = new Map<string, TypeDescription>();
	const ends = [input, output];
	for (const message of ends) addTypes(message, types, ends);
	return {
		service: parent.typeName,
		method: name,
		kind: METHOD_KINDS[methodKind],
		request: { type: input.typeName, ...describeFields(input) },
		response: { type: output.typeName, ...describeFields(output) },
		types: Object.fromEntries(types),
	};
}

function addTypes(
	{ fields }: DescMessage,
	types: Map<string, TypeDescription>,
	described: readonly DescMessage[],
): void {
	for (const { enum: choice, message } of fields) {
		if (choice) types.set(choice.typeName, { values: getValueNames(choice) });
		if (!message || types.has(message.typeName) || described.includes(message)) continue;
		const about = describeFields(message);
		types.set(message.typeName, about);
		if ('fields' in about) addTypes(message, types, described);
	}
}

function describeFields(message: DescMessage): TypeFields {
	const json = getJsonForm(message);
	return json ? { json } : { fields: message.fields.map(describeField) };
}

function describeField(field: DescField): FieldDescription {
	const isOptional = field.presence === Presence.EXPLICIT && !field.message && !field.oneof;
	return {
		name: field.jsonName,
		type: formatTypeName(field),
		...(field.fieldKind === 'list' && { repeated: true }),
		...(field.oneof && { oneof: field.oneof.name }),
		...(isOptional && { optional: true }),
		...(field.presence === Presence.LEGACY_REQUIRED && { required: true }),
	};
}
