import { create, type DescMessage } from '@bufbuild/protobuf';
import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
	FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { registryOf } from './registry.mts';

export { Type };

export const repeated = { label: Label.REPEATED };

export function field(name: string, number: number, type: Type | `.${string}`, more: object = {}) {
	const typed = typeof type === 'number' ? { type } : { type: Type.MESSAGE, typeName: type };
	return { name, number, label: Label.OPTIONAL, ...typed, ...more };
}

/** Messages described as a service would describe them: no code is generated. */
export function defineMessages<Name extends string>(
	described: Readonly<Record<Name, object>>,
): Readonly<Record<Name, DescMessage>> {
	const messageType = Object.entries<object>(described).map(([name, more]) => ({ name, ...more }));
	const file = { name: 'messages.proto', syntax: 'proto3', messageType };
	const registry = registryOf([create(FileDescriptorProtoSchema, file)]);
	const messages = messageType.map(({ name }) => [name, registry.getMessage(name)]);
	return Object.fromEntries(messages) as Record<Name, DescMessage>;
}
