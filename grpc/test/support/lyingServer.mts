import {
	Server,
	ServerCredentials,
	type sendUnaryData,
	type ServerOptions,
	type ServerUnaryCall,
	type ServiceError,
	type ServerDuplexStream,
	type ServerWritableStream,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { dirname, join } from 'node:path';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import { startForTests } from '../../../test/harness/started.mts';
import { Grpc } from '../../nodes/Grpc/Grpc.node';
import { FILE, usual, type Answer, type Question } from './described.mts';
import { credentialTypes } from './grpcSandbox.mts';

interface Service {
	readonly answer?: Answer;
	/** Handlers of unary calls. Each returns the answer, or throws a status. */
	readonly methods?: Readonly<Record<string, (request: Buffer) => Uint8Array>>;
	/** Handlers of bidirectional streams. */
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
	serialize: (reply: Uint8Array) => (Buffer.isBuffer(reply) ? reply : Buffer.from(reply)),
	deserialize: (request: Buffer) => request,
};

/** Starts a service whose answers are set by the test. */
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
			try {
				done(null, method(call.request));
			} catch (refusal) {
				done(refusal as Partial<ServiceError>);
			}
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

/** Starts the service with answers of the test, for a test file or a group of tests. */
export const createLyingServer = (service?: Service) =>
	startForTests(async () => await startLyingServer(service));

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

/** Runs the node against an endpoint without TLS. Returns its items and its error. */
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
		error,
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
	// The conversion to JSON removes undefined values, because a workflow is stored as JSON.
	const stored = JSON.parse(JSON.stringify(options)) as INodeParameters;
	return { operation: 'call', service: 't.S', method, request: text, options: stored };
}

export function status(code: number, details: string): Error {
	return Object.assign(new Error(details), { code, details }) as Partial<ServiceError> & Error;
}

export function throwStatus(code: number, details: string): never {
	throw status(code, details);
}
