import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { MapField, type Field, type OneOf, type Type as Message } from 'protobufjs';
import { featuresOf } from './features.mts';
import type { TypeScope } from './names.mts';

const LABELS: Readonly<Record<string, Label>> = {
	required: Label.REQUIRED,
	repeated: Label.REPEATED,
};

/** The choices of a message, those last that only stand for `optional`, as `protoc` has them. */
export function oneofsOf({ oneofsArray }: Message): OneOf[] {
	const isOptional = ({ fieldsArray: [field] }: OneOf) => Boolean(field?.options?.proto3_optional);
	return [...oneofsArray.filter((one) => !isOptional(one)), ...oneofsArray.filter(isOptional)];
}

export function fieldDescriptor(
	field: Field,
	from: string,
	names: TypeScope,
	oneofs: readonly OneOf[] = [],
): object {
	const { id, rule = '', partOf, options = {}, jsonName, extend } = field;
	const isMap = field instanceof MapField;
	const isGroup = declaresGroup(field, from, names);
	const name = isGroup ? field.type.toLowerCase() : field.name;
	return {
		name,
		number: id,
		label: isMap ? Label.REPEATED : (LABELS[rule] ?? Label.OPTIONAL),
		...(isMap
			? { type: Type.MESSAGE, typeName: `${from}.${entryName(name)}` }
			: typeOf(field.type, from, names)),
		...(isGroup && { type: Type.GROUP }),
		...(jsonName && { jsonName }),
		...(extend && { extendee: names.resolve(extend, from).fullName }),
		...(partOf && { oneofIndex: oneofs.indexOf(partOf) }),
		...(options.proto3_optional && { proto3Optional: true }),
		options: {
			...(typeof options.packed === 'boolean' && { packed: options.packed }),
			...featuresOf(field),
		},
	};
}

/** A group is a type and a field in one, of the same name; other fields of its type are messages. */
function declaresGroup({ name, type }: Field, from: string, names: TypeScope): boolean {
	return names.isGroup(`${from}.${type}`) && name === type.charAt(0).toLowerCase() + type.slice(1);
}

/** A map is a list of entries, each a message of its own. */
export function mapEntries(fields: readonly Field[], from: string, names: TypeScope): object[] {
	return fields
		.filter((field) => field instanceof MapField)
		.map(({ name, keyType, type }) => ({
			name: entryName(name),
			field: [
				{ name: 'key', number: 1, label: Label.OPTIONAL, ...typeOf(keyType, from, names) },
				{ name: 'value', number: 2, label: Label.OPTIONAL, ...typeOf(type, from, names) },
			],
			options: { mapEntry: true },
		}));
}

function entryName(field: string): string {
	const words = field.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	return `${words.join('')}Entry`;
}

const SCALARS: Readonly<Record<string, Type>> = {
	double: Type.DOUBLE,
	float: Type.FLOAT,
	int64: Type.INT64,
	uint64: Type.UINT64,
	int32: Type.INT32,
	fixed64: Type.FIXED64,
	fixed32: Type.FIXED32,
	bool: Type.BOOL,
	string: Type.STRING,
	bytes: Type.BYTES,
	uint32: Type.UINT32,
	sfixed32: Type.SFIXED32,
	sfixed64: Type.SFIXED64,
	sint32: Type.SINT32,
	sint64: Type.SINT64,
};

const FIELD_TYPES = { message: Type.MESSAGE, group: Type.MESSAGE, enum: Type.ENUM };

function typeOf(type: string, from: string, names: TypeScope): object {
	if (Object.hasOwn(SCALARS, type)) return { type: SCALARS[type] };
	const { kind, fullName } = names.resolve(type, from);
	return { type: FIELD_TYPES[kind], typeName: fullName };
}
