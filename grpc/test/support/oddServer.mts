import {
	Server,
	ServerCredentials,
	type sendUnaryData,
	type ServerDuplexStream,
	type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { dirname, join } from 'node:path';

interface Question {
	readonly fileContainingSymbol?: string;
	readonly fileByFilename?: string;
}

/** The input from which @bufbuild/protobuf creates a file descriptor. */
export type File = Parameters<typeof create<typeof FileDescriptorProtoSchema>>[1] & {
	name: string;
};

const reflection = loadSync(
	join(
		dirname(require.resolve('@grpc/reflection')),
		'../proto/grpc/reflection/v1/reflection.proto',
	),
)['grpc.reflection.v1.ServerReflection'] as never;

/**
 * A service that describes itself as sparsely as the protocol allows: each answer holds one file without its imports,
 * and fields have no names for JSON. Its methods receive and return bytes, or throw a status.
 */
export async function startOddServer(
	files: readonly File[],
	methods: Readonly<Record<string, (request: Buffer) => Uint8Array>>,
) {
	const described = files.map((file) => create(FileDescriptorProtoSchema, file));
	const server = new Server();
	server.addService(reflection, {
		ServerReflectionInfo: (call: ServerDuplexStream<Question, object>) => {
			call.on('data', (question) => call.write(answerTo(question, described)));
			call.on('end', () => call.end());
		},
	});
	for (const [path, method] of Object.entries(methods)) {
		server.register(
			path,
			({ request }: { request: Buffer }, done: sendUnaryData<Uint8Array>) => {
				try {
					done(null, method(request));
				} catch (status) {
					done(status as Partial<ServiceError>);
				}
			},
			(reply: Uint8Array) => Buffer.from(reply),
			(request: Buffer) => request,
			'unary',
		);
	}
	const port = await new Promise<number>((resolve, reject) =>
		server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
			error ? reject(error) : resolve(bound),
		),
	);
	return { endpoint: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

function answerTo(
	{ fileByFilename, fileContainingSymbol }: Question,
	files: readonly FileDescriptorProto[],
): object {
	const found = files.find(
		(file) =>
			file.name === fileByFilename ||
			[...file.messageType, ...file.service].some(
				({ name }) => `${file.package}.${name}` === fileContainingSymbol,
			),
	);
	if (!found) return { errorResponse: { errorCode: 5, errorMessage: 'not found' } };
	const bytes = toBinary(FileDescriptorProtoSchema, found);
	return { fileDescriptorResponse: { fileDescriptorProto: [Buffer.from(bytes)] } };
}
