import { status as Status } from '@grpc/grpc-js';
import { Http2SubchannelConnector, type Transport } from '@grpc/grpc-js/build/src/transport';
import { constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { isFromServer } from './origin.mts';

/** What a call ends with that the server refused, in the words of the gRPC library. */
export const REFUSED_STREAM = { code: Status.UNAVAILABLE, details: 'Stream refused by server' };

const { connect } = Http2SubchannelConnector.prototype;
Http2SubchannelConnector.prototype.connect = async function (...settings) {
	const transport = await connect.apply(this, settings);
	refuseAfterGoaway(transport);
	return transport;
};

/**
 * A server that says goodbye names the last call that it has seen. The calls after it were not carried out, whatever
 * becomes of the connection: the gRPC library hears that they were refused, and sends them over another one.
 */
function refuseAfterGoaway(transport: Transport): void {
	let lastSeen = Infinity;
	const { session } = transport as unknown as { readonly session: ClientHttp2Session };
	session.on('goaway', (_code, last: number) => (lastSeen = last));
	const createCall = transport.createCall.bind(transport);
	transport.createCall = (metadata, host, method, listener, ...more) => {
		let isAnswered = false;
		const call = createCall(
			metadata,
			host,
			method,
			{
				onReceiveMetadata: (received) => {
					isAnswered = true;
					listener.onReceiveMetadata(received);
				},
				onReceiveMessage: (message) => listener.onReceiveMessage(message),
				onReceiveStatus: (ending) => {
					const isUnseen = !isAnswered && !isFromServer(ending) && streamId(call) > lastSeen;
					const refused = {
						...ending,
						...REFUSED_STREAM,
						rstCode: constants.NGHTTP2_REFUSED_STREAM,
					};
					listener.onReceiveStatus(isUnseen ? refused : ending);
				},
			},
			...more,
		);
		return call;
	};
}

/** The calls of a connection are numbered; one without a number never left. */
function streamId(call: unknown): number {
	const { http2Stream } = call as { readonly http2Stream: ClientHttp2Stream };
	return http2Stream.id ?? Infinity;
}
