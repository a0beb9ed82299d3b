import { join } from 'node:path';
import {
	Client,
	credentials,
	Metadata,
	type MethodDefinition,
	type ServiceDefinition,
	type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { Sandbox } from '../../harness/sandbox.mts';

export const folder = join(__dirname, '..', '..', '..', 'sandbox', 'apis', 'grpc', 'protos');
const reflection = join(require.resolve('@grpc/reflection'), '..', '..', 'proto');

const options = { includeDirs: [folder, reflection], keepCase: true, longs: String };
const versions = ['v1', 'v1alpha'].map((name) => `grpc/reflection/${name}/reflection.proto`);

/** The service definitions from the .proto files in the source, and not from the reflection of the service. */
export const definitions = loadSync(['chain.proto', ...versions], options);

export type Fields = Record<string, unknown>;
export type Method = MethodDefinition<unknown, unknown>;

const asItIs = (bytes: Buffer) => bytes;

function methodOf(path: string): Method {
	const [service, name] = path.split('/') as [string, string];
	return (definitions[service] as ServiceDefinition)[name]!;
}

/** Creates a client that uses only the gRPC library, so that it shows the answers of the service unchanged. */
export function rawClient(
	sandbox: Sandbox,
	{ tls = false, root = '', token = sandbox.xToken! } = {},
) {
	const trust = root === '' ? null : Buffer.from(root);
	const client = new Client(
		tls ? sandbox.grpcEndpoint! : sandbox.grpcPlainEndpoint!,
		tls ? credentials.createSsl(trust) : credentials.createInsecure(),
		{ 'grpc.use_local_subchannel_pool': 1 },
	);
	const metadata = new Metadata();
	if (token !== '') metadata.set('x-token', token);

	/** Calls a method. If the request is bytes, it is sent unchanged, and the answer is bytes as well. */
	function call<Answer = Fields>(path: string, request: Fields | Buffer = {}): Promise<Answer> {
		const method = methodOf(path);
		const isRaw = Buffer.isBuffer(request);
		const write = isRaw ? asItIs : method.requestSerialize;
		const read = isRaw ? asItIs : method.responseDeserialize;
		return new Promise((resolve, reject) =>
			client.makeUnaryRequest(
				method.path,
				write as (request: Fields | Buffer) => Buffer,
				read as (bytes: Buffer) => Answer,
				request,
				metadata,
				(error, answer) => (error ? reject(error) : resolve(answer!)),
			),
		);
	}

	function stream(path: string, request: Fields) {
		const { path: url, requestSerialize, responseDeserialize } = methodOf(path);
		return client.makeServerStreamRequest(
			url,
			requestSerialize,
			responseDeserialize,
			request,
			metadata,
		);
	}

	function talk(path: string) {
		const { path: url, requestSerialize, responseDeserialize } = methodOf(path);
		return client.makeBidiStreamRequest(url, requestSerialize, responseDeserialize, metadata);
	}

	async function reflect(version: string, question: Fields): Promise<Fields> {
		const asking = talk(`grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);
		asking.write(question);
		asking.end();
		const [answer] = await all(asking);
		return answer as Fields;
	}

	return { call, stream, talk, reflect, close: () => client.close() };
}

export async function all<Message = Fields>(messages: AsyncIterable<Message>): Promise<Message[]> {
	const seen: Message[] = [];
	for await (const message of messages) seen.push(message);
	return seen;
}

export const failure = async (answer: Promise<unknown>): Promise<ServiceError> =>
	await answer.then(
		() => Promise.reject(new Error('it did not fail')),
		(error: ServiceError) => error,
	);
