import { type ServiceDefinition, status } from '@grpc/grpc-js';
import { echoService, rawEchoStreamRequest } from './definitions.mts';
import { Failure, serverStreaming, unary } from './methods.mts';

const { Echo, EchoStream } = echoService as Record<
	'Echo' | 'EchoStream',
	ServiceDefinition[string]
>;

const asItIs = (bytes: Buffer) => bytes;

/** Messages pass as bytes: read and written again they would lose what the library does not keep. */
export const rawEchoService: ServiceDefinition = {
	Echo: { ...Echo, requestDeserialize: asItIs, responseSerialize: asItIs },
	EchoStream: {
		...EchoStream,
		requestDeserialize: rawEchoStreamRequest.deserialize,
		responseSerialize: asItIs,
	},
};

export const echo = {
	Echo: unary(checked),
	EchoStream: serverStreaming(repeated),
};

function* repeated({ message, times }: { message: Buffer; times: number }): Generator<Buffer> {
	checked(message);
	for (let sent = 0; sent < times; sent++) yield message;
}

function checked(bytes: Buffer): Buffer {
	try {
		Echo.requestDeserialize(bytes);
		return bytes;
	} catch (error) {
		const { message } = error as Error;
		throw new Failure(status.INVALID_ARGUMENT, `not a message of chain.v1.Everything: ${message}`);
	}
}
