import {
	Server,
	ServerCredentials,
	type sendUnaryData,
	type ServerOptions,
	type ServerUnaryCall,
	type ServiceError,
} from '@grpc/grpc-js';
import type { ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { create, toBinary } from '@bufbuild/protobuf';
import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
	FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { dirname, join } from 'node:path';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../test/harness/engine.mts';
import { Grpc } from '../nodes/Grpc/Grpc.node';
import type { File } from './oddServer.mts';
import { credentialTypes } from './support.mts';

export interface Question {
	readonly listServices?: string;
	readonly fileByFilename?: string;
	readonly fileContainingSymbol?: string;
	readonly fileContainingExtension?: {
		readonly containingType: string;
		readonly extensionNumber: number;
	};
}

/** An answer of the reflection, a status to end with, or nothing to end well without an answer. */
type Answer = (question: Question) => object | undefined | Promise<object | undefined>;

interface Service {
	readonly answer?: Answer;
	readonly methods?: Readonly<Record<string, (request: Buffer) => Uint8Array | Error>>;
	/** Streams in both directions. */
	readonly bidis?: Readonly<Record<string, (call: ServerDuplexStream<Buffer, Buffer>) => unknown>>;
	readonly options?: ServerOptions;
	readonly streams?: Readonly<
		Record<string, (call: ServerWritableStream<Buffer, Buffer>) => unknown>
	>;
}

const reflection = loadSync(
	join(
		dirname(require.resolve('@grpc/reflection')),
		'../proto/grpc/reflection/v1/reflection.proto',
	),
)['grpc.reflection.v1.ServerReflection'] as never;

const bytes = {
	serialize: (reply: Uint8Array) => Buffer.from(reply),
	deserialize: (request: Buffer) => request,
};

/** A service that answers whatever a test makes it answer. */
export async function startLyingServer({
	answer = usual(FILE),
	bidis,
	methods,
	options,
	streams,
}: Service = {}) {
	const calls: string[] = [];
	const peers = new Set<string>();
	const server = new Server(options);
	server.addService(reflection, {
		ServerReflectionInfo: (call: ServerDuplexStream<Question, object>) => {
			call.on('data', (question) => void reply(call, answer(question)));
			call.on('end', () => call.end());
			call.on('error', () => {});
		},
	});
	for (const [path, method] of Object.entries(methods ?? {})) {
		type Unary = ServerUnaryCall<Buffer, Uint8Array>;
		const answered = (call: Unary, done: sendUnaryData<Uint8Array>) => {
			calls.push(path);
			peers.add(call.getPeer());
			const reply = method(call.request);
			done(...((reply instanceof Error ? [reply] : [null, reply]) as [null, Uint8Array]));
		};
		server.register(path, answered, bytes.serialize, bytes.deserialize, 'unary');
	}
	for (const [path, stream] of Object.entries(streams ?? {})) {
		const answered = (call: ServerWritableStream<Buffer, Buffer>) => {
			calls.push(path);
			stream(call);
		};
		server.register(path, answered, bytes.serialize, bytes.deserialize, 'serverStream');
	}
	for (const [path, bidi] of Object.entries(bidis ?? {})) {
		const answered = (call: ServerDuplexStream<Buffer, Buffer>) => {
			calls.push(path);
			call.on('error', () => {});
			bidi(call);
		};
		server.register(path, answered, bytes.serialize, bytes.deserialize, 'bidi');
	}
	const port = await new Promise<number>((resolve, reject) =>
		server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
			error ? reject(error) : resolve(bound),
		),
	);
	const endpoint = `127.0.0.1:${port}`;
	return {
		endpoint,
		/** The methods that were called. */
		calls,
		/** The connections over which methods were called. */
		peers,
		stop: () => server.forceShutdown(),
		run: async (parameters: INodeParameters, more?: More) =>
			await runAt(endpoint, parameters, more),
	};
}

async function reply(
	call: ServerDuplexStream<Question, object>,
	answer: object | undefined | Promise<object | undefined>,
): Promise<void> {
	const found = await answer;
	if (found instanceof Error) call.emit('error', found);
	else if (found) call.write(found);
	else call.end();
}

type More = Partial<NodeRun> & { readonly credential?: ICredentialDataDecryptedObject };

/** Runs the node against an endpoint without TLS; tells what came out and what went wrong. */
export async function runAt(
	endpoint: string,
	parameters: INodeParameters,
	{ credential, ...more }: More = {},
) {
	const { items, error } = await runNode({
		node: new Grpc(),
		parameters,
		credentials: {
			chainNodeXTokenApi: { endpoint, xToken: 'token-0123456789', tls: false, ...credential },
		},
		credentialTypes,
		...more,
	});
	return {
		json: items.map(({ json }) => json),
		message: error?.message,
		description: error?.description ?? '',
	};
}

export function callOf(
	method: string,
	request: object | string = {},
	options: INodeParameters = {},
): INodeParameters {
	const text = typeof request === 'string' ? request : JSON.stringify(request);
	return { operation: 'call', service: 't.S', method, request: text, options };
}

export function status(code: number, details: string): Error {
	return Object.assign(new Error(details), { code, details }) as Partial<ServiceError> & Error;
}

export const bytesOf = (file: File) =>
	Buffer.from(toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, file)));

export const filesAnswer = (...files: ReadonlyArray<File | Buffer>) => ({
	fileDescriptorResponse: {
		fileDescriptorProto: files.map((file) => (Buffer.isBuffer(file) ? file : bytesOf(file))),
	},
});

/** Answers as a good service does. */
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

/** A service with a method and a stream of one message. */
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

/** A type that only an Any names. */
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
