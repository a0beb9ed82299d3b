import {
	create,
	fromJson,
	fromJsonString,
	toJsonString,
	type JsonObject,
} from '@bufbuild/protobuf';
import {
	FeatureSetSchema,
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as FieldType,
	FileDescriptorProtoSchema,
	type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import {
	Enum,
	Field,
	MapField,
	Service,
	Type,
	type Method,
	type Namespace,
	type OneOf,
	type ReflectionObject,
} from 'protobufjs';
import type { ParsedProto, TypeScope } from './protoFile.mts';
import { restoreWritten } from './protoText.mts';

/** The numbers of `google.protobuf.Edition`. */
const EDITION_NUMBERS: Readonly<Record<string, number>> = {
	'2023': 1000,
	'2024': 1001,
	'2026': 1002,
};

/** Builds the descriptor that protoc would create, without source info and options. */
export function buildFileDescriptor(file: ParsedProto, names: TypeScope): FileDescriptorProto {
	const { name, packageName, imports, scope, syntax } = file;
	const top = packageName === '' ? scope : (scope.lookup(packageName) as Namespace);
	const descriptor = create(FileDescriptorProtoSchema, {
		name,
		package: packageName,
		dependency: [...imports],
		...getEdition(syntax),
		...buildContents(top, names),
		service: top.nestedArray.filter(isService).map((one) => buildServiceDescriptor(one, names)),
	});
	const text = toJsonString(FileDescriptorProtoSchema, descriptor);
	const written = restoreWritten(text);
	return written === text ? descriptor : fromJsonString(FileDescriptorProtoSchema, written);
}

function getEdition(syntax: string) {
	const edition = EDITION_NUMBERS[syntax];
	return edition ? { syntax: 'editions', edition } : { syntax };
}

/** Builds everything that may be in a file and in a message. */
function buildContents(scope: Namespace, names: TypeScope) {
	const { nestedArray } = scope;
	return {
		[scope instanceof Type ? 'nestedType' : 'messageType']: nestedArray
			.filter((one) => one instanceof Type)
			.map((type) => buildMessageDescriptor(type, names)),
		enumType: nestedArray.filter((one) => one instanceof Enum).map(buildEnumDescriptor),
		extension: nestedArray
			.filter((one) => one instanceof Field)
			.map((field) => buildFieldDescriptor(field, scope.fullName, names)),
	};
}

/** The value of `max` as protobufjs reads it, and as a MessageSet means it. */
const MAX_FIELD_NUMBER = 2 ** 29 - 1;
const MAX_TYPE_ID = 2 ** 31 - 1;

function buildMessageDescriptor(type: Type, names: TypeScope): object {
	// protobufjs lists fields of `extend` a second time, in the message that they extend.
	const fields = type.fieldsArray.filter(({ declaringField }) => !declaringField);
	const oneofs = getOneofs(type);
	const isMessageSet = type.options?.message_set_wire_format === true;
	const { nestedType, ...others } = buildContents(type, names);
	return {
		name: type.name,
		field: fields.map((field) => buildFieldDescriptor(field, type.fullName, names, oneofs)),
		oneofDecl: oneofs.map(({ name }) => ({ name })),
		nestedType: [...(nestedType as object[]), ...buildMapEntries(fields, type.fullName, names)],
		extensionRange: (type.extensions ?? []).map(([start = 0, end = 0]) => ({
			start,
			end: isMessageSet && end === MAX_FIELD_NUMBER ? MAX_TYPE_ID : end + 1,
		})),
		options: { messageSetWireFormat: isMessageSet, ...buildFeatures(type) },
		...others,
	};
}

/** The order is kept: the first name of an alias is used. */
function buildEnumDescriptor(type: Enum): object {
	return {
		name: type.name,
		value: Object.entries(type.values).map(([name, number]) => ({ name, number })),
		options: { allowAlias: Boolean(type.options?.allow_alias), ...buildFeatures(type) },
	};
}

function buildServiceDescriptor(service: Service, names: TypeScope): object {
	return {
		name: service.name,
		method: service.methodsArray.map((method) => buildMethodDescriptor(method, service, names)),
	};
}

function buildMethodDescriptor(
	{ name, requestType, responseType, requestStream, responseStream }: Method,
	{ fullName }: Service,
	names: TypeScope,
): object {
	return {
		name,
		inputType: names.resolve(requestType, fullName).fullName,
		outputType: names.resolve(responseType, fullName).fullName,
		clientStreaming: Boolean(requestStream),
		serverStreaming: Boolean(responseStream),
	};
}

function isService(one: ReflectionObject): one is Service {
	return one instanceof Service;
}

const FIELD_LABELS: Readonly<Record<string, Label>> = {
	required: Label.REQUIRED,
	repeated: Label.REPEATED,
};

/** Synthetic oneofs of `optional` come last, as protoc orders them; extensions have none. */
function getOneofs(type: Type): OneOf[] {
	const isExtension = ({ fieldsArray: [field] }: OneOf) => field?.extend !== undefined;
	const oneofsArray = type.oneofsArray.filter((one) => !isExtension(one));
	const isOptional = ({ fieldsArray: [field] }: OneOf) => Boolean(field?.options?.proto3_optional);
	return [...oneofsArray.filter((one) => !isOptional(one)), ...oneofsArray.filter(isOptional)];
}

function buildFieldDescriptor(
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
		label: isMap ? Label.REPEATED : (FIELD_LABELS[rule] ?? Label.OPTIONAL),
		...(isMap
			? { type: FieldType.MESSAGE, typeName: `${from}.${formatEntryName(name)}` }
			: buildType(field.type, from, names)),
		...(isGroup && { type: FieldType.GROUP }),
		...(jsonName && { jsonName }),
		...(extend && { extendee: names.resolve(extend, from).fullName }),
		...(partOf && !extend && { oneofIndex: oneofs.indexOf(partOf) }),
		...(options.proto3_optional && { proto3Optional: true }),
		options: {
			...(typeof options.packed === 'boolean' && { packed: options.packed }),
			...buildFeatures(field),
		},
	};
}

/** A group declares a type and a field of that name; other fields of the type are messages. */
function declaresGroup({ name, type }: Field, from: string, names: TypeScope): boolean {
	return names.isGroup(`${from}.${type}`) && name === type.charAt(0).toLowerCase() + type.slice(1);
}

/** Builds the message types of map fields. */
function buildMapEntries(fields: readonly Field[], from: string, names: TypeScope): object[] {
	return fields
		.filter((field) => field instanceof MapField)
		.map(({ name, keyType, type }) => ({
			name: formatEntryName(name),
			field: [
				{ name: 'key', number: 1, label: Label.OPTIONAL, ...buildType(keyType, from, names) },
				{ name: 'value', number: 2, label: Label.OPTIONAL, ...buildType(type, from, names) },
			],
			options: { mapEntry: true },
		}));
}

function formatEntryName(field: string): string {
	const words = field.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	return `${words.join('')}Entry`;
}

const SCALAR_TYPES: Readonly<Record<string, FieldType>> = {
	double: FieldType.DOUBLE,
	float: FieldType.FLOAT,
	int64: FieldType.INT64,
	uint64: FieldType.UINT64,
	int32: FieldType.INT32,
	fixed64: FieldType.FIXED64,
	fixed32: FieldType.FIXED32,
	bool: FieldType.BOOL,
	string: FieldType.STRING,
	bytes: FieldType.BYTES,
	uint32: FieldType.UINT32,
	sfixed32: FieldType.SFIXED32,
	sfixed64: FieldType.SFIXED64,
	sint32: FieldType.SINT32,
	sint64: FieldType.SINT64,
};

const FIELD_TYPES = { message: FieldType.MESSAGE, group: FieldType.MESSAGE, enum: FieldType.ENUM };

function buildType(type: string, from: string, names: TypeScope): object {
	if (Object.hasOwn(SCALAR_TYPES, type)) return { type: SCALAR_TYPES[type] };
	const { kind, fullName } = names.resolve(type, from);
	return { type: FIELD_TYPES[kind], typeName: fullName };
}

/** Builds the features of editions, such as field presence. */
function buildFeatures({ options }: ReflectionObject): object {
	const features = options?.features as JsonObject | undefined;
	if (!features) return {};
	return { features: fromJson(FeatureSetSchema, features, { ignoreUnknownFields: true }) };
}
