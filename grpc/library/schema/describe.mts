import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { jsonForm, typeName, valueNames } from '../descriptors/typeNames.mts';

const KINDS = {
	unary: 'unary',
	server_streaming: 'serverStreaming',
	client_streaming: 'clientStreaming',
	bidi_streaming: 'bidirectional',
} as const;

export interface MethodDescription {
	readonly service: string;
	readonly method: string;
	readonly kind: (typeof KINDS)[keyof typeof KINDS];
	readonly request: MessageDescription;
	readonly response: MessageDescription;
	/** All message and enum types of their fields, by name. */
	readonly types: Readonly<Record<string, TypeDescription>>;
}

export type MessageDescription = { readonly type: string } & Fields;

/** A message or an enum. */
export type TypeDescription = Fields | { readonly values: readonly string[] };

/** `json` for well-known types with a JSON form of their own. */
type Fields = { readonly fields: readonly FieldDescription[] } | { readonly json: string };

export interface FieldDescription {
	readonly name: string;
	/** As in a .proto file; of a list, that of its items. */
	readonly type: string;
	readonly repeated?: true;
	/** The name of the choice that it belongs to. */
	readonly oneof?: string;
	/** Whether it may be set to its usual value, which is not the same as not set. */
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
		kind: KINDS[methodKind],
		request: { type: input.typeName, ...fieldsOf(input) },
		response: { type: output.typeName, ...fieldsOf(output) },
		types: Object.fromEntries(types),
	};
}

function addTypes(
	{ fields }: DescMessage,
	types: Map<string, TypeDescription>,
	described: readonly DescMessage[],
): void {
	for (const { enum: choice, message } of fields) {
		if (choice) types.set(choice.typeName, { values: valueNames(choice) });
		if (!message || types.has(message.typeName) || described.includes(message)) continue;
		const about = fieldsOf(message);
		types.set(message.typeName, about);
		if ('fields' in about) addTypes(message, types, described);
	}
}

function fieldsOf(message: DescMessage): Fields {
	const json = jsonForm(message);
	return json ? { json } : { fields: message.fields.map(describeField) };
}

function describeField(field: DescField): FieldDescription {
	const isOptional = field.presence === Presence.EXPLICIT && !field.message && !field.oneof;
	return {
		name: field.jsonName,
		type: typeName(field),
		...(field.fieldKind === 'list' && { repeated: true }),
		...(field.oneof && { oneof: field.oneof.name }),
		...(isOptional && { optional: true }),
		...(field.presence === Presence.LEGACY_REQUIRED && { required: true }),
	};
}
