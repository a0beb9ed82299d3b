import { create } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import {
	Enum,
	Field,
	Service,
	Type,
	type Method,
	type Namespace,
	type ReflectionObject,
} from 'protobufjs';
import { featuresOf } from './features.mts';
import { fieldDescriptor, mapEntries, oneofsOf } from './fieldDescriptor.mts';
import type { TypeScope } from './names.mts';
import type { ParsedProto } from './parseProto.mts';

/** How editions are numbered; the two syntaxes before them have a name of their own. */
const EDITIONS: Readonly<Record<string, number>> = { '2023': 1000, '2024': 1001, '2026': 1002 };

/** The file as `protoc` would describe it, without what concerns its sources alone. */
export function toFileDescriptor(file: ParsedProto, names: TypeScope): FileDescriptorProto {
	const { name, packageName, imports, scope } = file;
	const top = packageName === '' ? scope : (scope.lookup(packageName) as Namespace);
	return create(FileDescriptorProtoSchema, {
		name,
		package: packageName,
		dependency: [...imports],
		...syntaxOf(top),
		...contents(top, names),
		service: top.nestedArray.filter(isService).map((one) => serviceDescriptor(one, names)),
	});
}

/** The parser notes it on all that stands at the top. */
function syntaxOf({ nestedArray }: Namespace) {
	const [first] = nestedArray as Array<ReflectionObject & { readonly _edition?: string }>;
	const syntax = first?._edition ?? 'proto2';
	const edition = EDITIONS[syntax];
	return edition ? { syntax: 'editions', edition } : { syntax };
}

/** What a file and a message may both hold. */
function contents(scope: Namespace, names: TypeScope) {
	const { nestedArray } = scope;
	return {
		[scope instanceof Type ? 'nestedType' : 'messageType']: nestedArray
			.filter((one) => one instanceof Type)
			.map((type) => messageDescriptor(type, names)),
		enumType: nestedArray.filter((one) => one instanceof Enum).map(enumDescriptor),
		extension: nestedArray
			.filter((one) => one instanceof Field)
			.map((field) => fieldDescriptor(field, scope.fullName, names)),
	};
}

function messageDescriptor(type: Type, names: TypeScope): object {
	// Fields that stand in `extend` appear a second time, where they extend.
	const fields = type.fieldsArray.filter(({ declaringField }) => !declaringField);
	const oneofs = oneofsOf(type);
	const { nestedType, ...others } = contents(type, names);
	return {
		name: type.name,
		field: fields.map((field) => fieldDescriptor(field, type.fullName, names, oneofs)),
		oneofDecl: oneofs.map(({ name }) => ({ name })),
		nestedType: [...(nestedType as object[]), ...mapEntries(fields, type.fullName, names)],
		extensionRange: (type.extensions ?? []).map(([start = 0, end = 0]) => ({
			start,
			end: end + 1,
		})),
		options: featuresOf(type),
		...others,
	};
}

/** The order counts: of two names for a number, the first is the one that answers have. */
function enumDescriptor(type: Enum): object {
	return {
		name: type.name,
		value: Object.entries(type.values).map(([name, number]) => ({ name, number })),
		options: { allowAlias: Boolean(type.options?.allow_alias), ...featuresOf(type) },
	};
}

function serviceDescriptor(service: Service, names: TypeScope): object {
	return {
		name: service.name,
		method: service.methodsArray.map((method) => methodDescriptor(method, service, names)),
	};
}

function methodDescriptor(
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
