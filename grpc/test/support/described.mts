import { create, toBinary } from '@bufbuild/protobuf';
import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
	FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

/** The input from which @bufbuild/protobuf creates a file descriptor. */
export type File = Parameters<typeof create<typeof FileDescriptorProtoSchema>>[1] & {
	name: string;
};

export interface Question {
	readonly listServices?: string;
	readonly fileByFilename?: string;
	readonly fileContainingSymbol?: string;
	readonly fileContainingExtension?: {
		readonly containingType: string;
		readonly extensionNumber: number;
	};
}

/** Returns an answer of the reflection. An error ends the call with its status, and undefined ends it with OK but without an answer. */
export type Answer = (question: Question) => object | undefined | Promise<object | undefined>;

export const bytesOf = (file: File) =>
	Buffer.from(toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, file)));

export const filesAnswer = (...files: ReadonlyArray<File | Buffer>) => ({
	fileDescriptorResponse: {
		fileDescriptorProto: files.map((file) => (Buffer.isBuffer(file) ? file : bytesOf(file))),
	},
});

/** Gives the shortest answer that is still correct: a single file, without its imports. */
export const usual =
	(...files: readonly File[]): Answer =>
	({ listServices, fileByFilename, fileContainingSymbol }) => {
		if (listServices) {
			return { listServicesResponse: { service: [{ name: 't.S' }] } };
		}
		const found = files.find(
			({ name, package: scope, messageType = [], service = [] }) =>
				name === fileByFilename ||
				[...messageType, ...service].some(
					(type) => `${scope}.${type.name}` === fileContainingSymbol,
				),
		);
		return found ? filesAnswer(found) : { errorResponse: { errorCode: 5, errorMessage: 'no' } };
	};

export function field(name: string, number: number, type: Type | string, more: object = {}) {
	const typed = typeof type === 'number' ? { type } : { type: Type.MESSAGE, typeName: type };
	return { name, number, label: Label.OPTIONAL, ...typed, ...more };
}

const method = { inputType: '.t.M', outputType: '.t.M' };

/** The description of a service with one method and one stream. */
export const FILE = {
	name: 't.proto',
	package: 't',
	syntax: 'proto3',
	dependency: ['google/protobuf/any.proto'],
	service: [
		{
			name: 'S',
			method: [
				{ name: 'Do', ...method },
				{ name: 'SendIt', ...method },
				{ name: 'Stream', ...method, serverStreaming: true },
				{ name: 'Talk', ...method, clientStreaming: true, serverStreaming: true },
				{ name: 'Gather', ...method, clientStreaming: true },
			],
		},
	],
	messageType: [
		{
			name: 'M',
			field: [
				field('n', 1, Type.UINT64),
				field('s', 2, Type.STRING),
				field('b', 3, Type.BYTES),
				field('any', 4, '.google.protobuf.Any'),
				field('anys', 5, '.google.protobuf.Any', { label: Label.REPEATED }),
			],
		},
	],
} satisfies File;

/** The file of a type that is used only inside an Any. */
export const HIDDEN: File = {
	name: 'hidden.proto',
	package: 't',
	syntax: 'proto3',
	dependency: ['google/protobuf/any.proto'],
	messageType: [
		{
			name: 'Hidden',
			field: [field('secret', 1, Type.UINT64), field('inner', 2, '.google.protobuf.Any')],
		},
	],
};
