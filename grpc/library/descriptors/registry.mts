import {
	create,
	createFileRegistry,
	type DescEnum,
	type DescFile,
	type DescMessage,
	type FileRegistry,
} from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
	file_google_protobuf_any,
	file_google_protobuf_api,
	file_google_protobuf_descriptor,
	file_google_protobuf_duration,
	file_google_protobuf_empty,
	file_google_protobuf_field_mask,
	file_google_protobuf_source_context,
	file_google_protobuf_struct,
	file_google_protobuf_timestamp,
	file_google_protobuf_type,
	file_google_protobuf_wrappers,
	FileDescriptorProtoSchema,
	FileDescriptorSetSchema,
	type DescriptorProto,
	type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';

/** The files of google/protobuf that are built in. */
export const WELL_KNOWN_FILES: readonly DescFile[] = [
	file_google_protobuf_any,
	file_google_protobuf_api,
	file_google_protobuf_descriptor,
	file_google_protobuf_duration,
	file_google_protobuf_empty,
	file_google_protobuf_field_mask,
	file_google_protobuf_source_context,
	file_google_protobuf_struct,
	file_google_protobuf_timestamp,
	file_google_protobuf_type,
	file_google_protobuf_wrappers,
];

const WELL_KNOWN_BY_NAME: ReadonlyMap<string, FileDescriptorProto> = new Map(
	WELL_KNOWN_FILES.map(({ proto }) => [proto.name, proto]),
);

export function isWellKnown(file: string): boolean {
	return WELL_KNOWN_BY_NAME.has(file);
}

/** Builds a registry of files whose imports are among them or well known. */
export function buildRegistry(files: readonly FileDescriptorProto[]): FileRegistry {
	const given = new Map([
		...files.map((file) => [file.name, file] as const),
		...WELL_KNOWN_BY_NAME,
	]);
	const sorted = new Set<FileDescriptorProto>();
	for (const file of files) addAfterImports(given.get(file.name) ?? file, given, sorted);
	for (const file of sorted) if (!isWellKnown(file.name)) file.messageType.forEach(addJsonNames);
	const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...sorted] }));
	for (const type of registry) if (type.kind === 'enum') preferFirstNames(type);
	return registry;
}

/** If an enum value has aliases, protobuf-es would use the last name; protoc uses the first. */
function preferFirstNames({ value, values }: DescEnum): void {
	for (const one of values.toReversed()) value[one.number] = one;
}

function addAfterImports(
	file: FileDescriptorProto,
	given: ReadonlyMap<string, FileDescriptorProto>,
	sorted: Set<FileDescriptorProto>,
	path: readonly FileDescriptorProto[] = [],
): void {
	if (sorted.has(file)) return;
	if (path.includes(file)) throw new Error(`${file.name} imports itself`);
	for (const name of file.dependency) {
		const imported = given.get(name);
		if (imported) addAfterImports(imported, given, sorted, [...path, file]);
	}
	sorted.add(file);
}

/** Many services leave out `json_name`. */
function addJsonNames(message: DescriptorProto): void {
	for (const field of message.field) field.jsonName ||= protoCamelCase(field.name);
	message.nestedType.forEach(addJsonNames);
}

export { Type };

export const repeated = { label: Label.REPEATED };

export function buildField(
	name: string,
	number: number,
	type: Type | `.${string}`,
	more: object = {},
) {
	const typed = typeof type === 'number' ? { type } : { type: Type.MESSAGE, typeName: type };
	return { name, number, label: Label.OPTIONAL, ...typed, ...more };
}

/** Defines message types without generated code. */
export function defineMessages<Name extends string>(
	described: Readonly<Record<Name, object>>,
): Readonly<Record<Name, DescMessage>> {
	const messageType = Object.entries<object>(described).map(([name, more]) => ({ name, ...more }));
	const file = { name: 'messages.proto', syntax: 'proto3', messageType };
	const registry = buildRegistry([create(FileDescriptorProtoSchema, file)]);
	const messages = messageType.map(({ name }) => [name, registry.getMessage(name)]);
	return Object.fromEntries(messages) as Record<Name, DescMessage>;
}
