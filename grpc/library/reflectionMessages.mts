import {
	create,
	fromBinary,
	fromJson,
	toBinary,
	toJson,
	type DescMessage,
} from '@bufbuild/protobuf';
import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
	FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { registryOf } from './descriptors.mts';

/** What is asked of a service about itself. Both versions of the protocol have these messages in common. */
export type Question =
	| { readonly listServices: string }
	| { readonly fileContainingSymbol: string }
	| { readonly fileByFilename: string };

export interface Answer {
	readonly listServicesResponse?: { readonly service?: ReadonlyArray<{ readonly name: string }> };
	/** Descriptors of files, each in base64. */
	readonly fileDescriptorResponse?: { readonly fileDescriptorProto?: readonly string[] };
	readonly errorResponse?: { readonly errorCode?: number; readonly errorMessage?: string };
}

/** Fields of a choice send even an empty text. */
const choice = { oneofIndex: 0 };
const choices = { oneofDecl: [{ name: 'choice' }] };
const repeated = { label: Label.REPEATED };

function field(name: string, number: number, type: Type | `.${string}`, more: object = {}) {
	const typed = typeof type === 'number' ? { type } : { type: Type.MESSAGE, typeName: type };
	return { name, number, label: Label.OPTIONAL, ...typed, ...more };
}

/** The part of the protocol that is used, described as a service would: no code is generated. */
const file = create(FileDescriptorProtoSchema, {
	name: 'reflection.proto',
	package: 'reflection',
	syntax: 'proto3',
	messageType: [
		{
			name: 'Request',
			...choices,
			field: [
				field('fileByFilename', 3, Type.STRING, choice),
				field('fileContainingSymbol', 4, Type.STRING, choice),
				field('listServices', 7, Type.STRING, choice),
			],
		},
		{
			name: 'Response',
			...choices,
			field: [
				field('fileDescriptorResponse', 4, '.reflection.Files', choice),
				field('listServicesResponse', 6, '.reflection.Services', choice),
				field('errorResponse', 7, '.reflection.Error', choice),
			],
		},
		{ name: 'Files', field: [field('fileDescriptorProto', 1, Type.BYTES, repeated)] },
		{ name: 'Services', field: [field('service', 1, '.reflection.Service', repeated)] },
		{ name: 'Service', field: [field('name', 1, Type.STRING)] },
		{
			name: 'Error',
			field: [field('errorCode', 1, Type.INT32), field('errorMessage', 2, Type.STRING)],
		},
	],
});

const registry = registryOf([file]);
const request = registry.getMessage('reflection.Request') as DescMessage;
const response = registry.getMessage('reflection.Response') as DescMessage;

export function encodeQuestion(question: Question): Uint8Array {
	return toBinary(request, fromJson(request, question));
}

export function decodeAnswer(bytes: Uint8Array): Answer {
	return toJson(response, fromBinary(response, bytes)) as Answer;
}
