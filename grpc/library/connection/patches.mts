import {
	Metadata,
	status as Status,
	type ChannelCredentials,
	type StatusObject,
} from '@grpc/grpc-js';
import { Http2SubchannelCall } from '@grpc/grpc-js/build/src/subchannel-call';
import { Http2SubchannelConnector, type Transport } from '@grpc/grpc-js/build/src/transport';
import { constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/**
 * These patches do what grpc-js has no setting for. They touch internals, so the version is pinned. This map holds the
 * `grpc-status` header of received metadata: grpc-js creates statuses of its own, in similar words.
 */
const receivedStatus = new WeakMap<Metadata, unknown>();

const { fromHttp2Headers } = Metadata;
Metadata.fromHttp2Headers = (headers) => {
	const metadata = fromHttp2Headers(headers);
	receivedStatus.set(metadata, headers['grpc-status']);
	return metadata;
};

/** Whether the server sent this status; otherwise grpc-js created it. */
export function isFromServer({ code, metadata }: Pick<StatusObject, 'code' | 'metadata'>): boolean {
	return Object.is(Number(receivedStatus.get(metadata)), code);
}

/** The status that grpc-js gives a call after RST_STREAM with REFUSED_STREAM. */
export const REFUSED_STREAM = { code: Status.UNAVAILABLE, details: 'Stream refused by server' };

const { connect } = Http2SubchannelConnector.prototype;
Http2SubchannelConnector.prototype.connect = async function (...settings) {
	const transport = await connect.apply(this, settings);
	refuseUnprocessedCalls(transport);
	return transport;
};

/**
 * Reports calls as refused that the server has not processed, so that grpc-js retries them transparently. GOAWAY names
 * the last stream that the server has processed: calls on later streams are refused, whatever the connection ends with.
 * So are calls whose stream the server refused while their request was written: grpc-js would report a failed write.
 */
function refuseUnprocessedCalls(transport: Transport): void {
	let lastStream = Infinity;
	const { session } = transport as unknown as { readonly session: ClientHttp2Session };
	session.on('goaway', (_code, last: number) => (lastStream = last));
	const createCall = transport.createCall.bind(transport);
	transport.createCall = (metadata, host, method, listener, statistics) => {
		let hasHeaders = false;
		const call = createCall(
			metadata,
			host,
			method,
			{
				onReceiveMetadata: (received) => {
					hasHeaders = true;
					listener.onReceiveMetadata(received);
				},
				onReceiveMessage: (message) => listener.onReceiveMessage(message),
				onReceiveStatus: (status) => {
					const isUnprocessed =
						!hasHeaders &&
						!isFromServer(status) &&
						(isRefused(call) || getStreamId(call) > lastStream);
					const refused = {
						...status,
						...REFUSED_STREAM,
						rstCode: constants.NGHTTP2_REFUSED_STREAM,
					};
					listener.onReceiveStatus(isUnprocessed ? refused : status);
				},
			},
			statistics,
		);
		return call;
	};
}

function isRefused(call: unknown): boolean {
	return getStream(call).rstCode === constants.NGHTTP2_REFUSED_STREAM;
}

/** Returns Infinity for a stream that was never sent. */
function getStreamId(call: unknown): number {
	return getStream(call).id ?? Infinity;
}

function getStream(call: unknown): ClientHttp2Stream {
	return (call as { readonly http2Stream: ClientHttp2Stream }).http2Stream;
}

/** The members of `Http2SubchannelCall` that are used. */
interface CallInternals {
	readonly http2Stream: ClientHttp2Stream;
	readonly finalStatus: StatusObject | null;
	readonly unpushedReadMessages: Buffer[];
	readonly isPushPending: boolean;
	readsClosed: boolean;
	canPush: boolean;
	push(message: Buffer): void;
	outputStatus(): void;
	maybeOutputStatus(): void;
	startRead(): void;
}

const call = Http2SubchannelCall.prototype as unknown as CallInternals;
const { startRead } = call;

/** grpc-js would report an error status at once and drop the messages before it that are not read yet. */
call.maybeOutputStatus = function () {
	const { finalStatus, readsClosed, unpushedReadMessages, isPushPending } = this;
	if (!finalStatus || isPushPending || unpushedReadMessages.length > 0) return;
	if (readsClosed || !isTrailing(finalStatus)) this.outputStatus();
};

call.startRead = function () {
	const { finalStatus, unpushedReadMessages } = this;
	if (!finalStatus || finalStatus.code === Status.OK) return startRead.call(this);
	this.canPush = true;
	const message = unpushedReadMessages.shift();
	if (message) return this.push(message);
	this.http2Stream.resume();
	this.maybeOutputStatus();
};

/** Whether the status came in trailers, after all messages; grpc-js creates others when a connection is lost. */
function isTrailing(status: StatusObject): boolean {
	return status.code === Status.OK || isFromServer(status);
}

/** Milliseconds that grpc-js needs to send GOAWAY when a client is closed. */
const GOAWAY_MS = 200;

/** Collects the sockets of a channel: closing a client leaves those open that are still in their TLS handshake. */
export class Sockets {
	private readonly open = new Set<Socket>();
	private isClosed = false;

	/** Wraps credentials so that each socket is collected before its handshake. */
	watch(credentials: ChannelCredentials): ChannelCredentials {
		const create = credentials._createSecureConnector.bind(credentials);
		credentials._createSecureConnector = (target, options, callCredentials) => {
			const connector = create(target, options, callCredentials);
			const connect = connector.connect.bind(connector);
			connector.connect = async (socket) => {
				this.add(socket);
				return await connect(socket);
			};
			return connector;
		};
		return credentials;
	}

	private add(socket: Socket): void {
		this.open.add(socket);
		socket.once('close', () => this.open.delete(socket));
		if (this.isClosed) socket.destroy();
	}

	close(): void {
		this.isClosed = true;
		setTimeout(() => this.open.forEach((socket) => socket.destroy()), GOAWAY_MS).unref();
	}
}
