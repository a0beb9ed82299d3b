import { type ServiceDefinition, status } from '@grpc/grpc-js';
import { echoService, rawEchoStreamRequest } from './definitions.mts';
import { GrpcFailure, serverStreamHandler, unaryHandler } from './methods.mts';

const { Echo, EchoStream } = echoService as Record<
	'Echo' | 'EchoStream',
	ServiceDefinition[string]
>;

const passBytes = (bytes: Buffer) => bytes;

/** Messages pass as bytes: read and written again they would lose what the library does not keep. */
export const rawEchoService: ServiceDefinition = {
	Echo: { ...Echo, requestDeserialize: passBytes, responseSerialize: passBytes },
	EchoStream: {
		...EchoStream,
		requestDeserialize: rawEchoStreamRequest.deserialize,
		responseSerialize: passBytes,
	},
};

export const echoHandlers = {
	Echo: unaryHandler(checkMessage),
	EchoStream: serverStreamHandler(repeatMessage),
};

function* repeatMessage({ message, times }: { message: Buffer; times: number }): Generator<Buffer> {
	checkMessage(message);
	for (let sent = 0; sent < times; sent++) yield message;
}

function checkMessage(bytes: Buffer): Buffer {
	try {
		Echo.requestDeserialize(bytes);
		return bytes;
	} catch (error) {
		const { message } = error as Error;
		throw new GrpcFailure(
			status.INVALID_ARGUMENT,
			`not a message of chain.v1.Everything: ${message}`,
		);
	}
}
