import { status as Status, type ClientDuplexStream, type ServiceError } from '@grpc/grpc-js';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { CallError, getProblem, type ServiceProblem } from '../callError.mts';
import type { Channel } from './channel.mts';
import { REFUSED_STREAM } from './patches.mts';
import { asCallError } from './status.mts';

interface Call {
	/** `/package.Service/Method` */
	readonly path: string;
	/** The timeout in milliseconds. */
	readonly timeout: number;
}

/** The bytes are messages that were encoded elsewhere. */
const encodeBytes = (message: Uint8Array) => Buffer.from(message);
const decodeBytes = (bytes: Buffer) => bytes;

/** Sends one request and returns one response. */
export async function callUnary(
	channel: Channel,
	{ path, timeout }: Call,
	request: Uint8Array,
): Promise<Uint8Array> {
	const { client, metadata } = channel;
	const deadline = Date.now() + timeout;
	return await retryRefused(
		channel,
		deadline,
		async () =>
			await new Promise<Uint8Array>((resolve, reject) => {
				const done = (error: ServiceError | null, response?: Buffer) => {
					channel.untrack(call);
					if (response) resolve(response);
					else reject(asCallError(error, { path, sent: true }));
				};
				const options = { deadline };
				const call = channel.track(
					client.makeUnaryRequest(path, encodeBytes, decodeBytes, request, metadata, options, done),
				);
			}),
	);
}

/** The server knows the deadline, too, and its clock may be this many milliseconds ahead. */
const MAX_CLOCK_SKEW_MS = 50;
/** The limit of all responses of a call together. */
const MAX_STREAM_MEGABYTES = 256;

interface StreamResult {
	readonly responses: readonly Uint8Array[];
	/** Why the stream ended early, if it did after responses had arrived. */
	readonly broken?: ServiceProblem;
}

/** Sends all requests, then reads up to `limit` responses, or those that arrive before the deadline. */
export async function collectStream(
	channel: Channel,
	{ path, timeout }: Call,
	requests: readonly Uint8Array[],
	limit: number,
): Promise<StreamResult> {
	const deadline = Date.now() + timeout;
	return await retryRefused(channel, deadline, async () => {
		const responses: Uint8Array[] = [];
		const call = { path, deadline, requests, halfClose: true };
		try {
			await collect(readStream(channel, call), responses, limit);
			return { responses };
		} catch (error) {
			const cause = asCallError(error, { path, sent: true, received: responses.length });
			if (responses.length === 0 || cause === error) throw cause;
			if (isTimeUp(error, deadline)) return { responses };
			return { responses, broken: getProblem(cause) as ServiceProblem };
		}
	});
}

async function collect(
	messages: AsyncIterable<Buffer>,
	responses: Uint8Array[],
	limit: number,
): Promise<void> {
	let bytesLeft = MAX_STREAM_MEGABYTES * 1024 * 1024;
	for await (const response of messages) {
		bytesLeft -= response.length;
		if (bytesLeft < 0) throw streamTooLargeError(responses.length);
		responses.push(response);
		if (responses.length === limit) return;
	}
}

function streamTooLargeError(received: number): CallError {
	return new CallError({
		kind: 'invalidResponse',
		message: `The stream is larger than ${MAX_STREAM_MEGABYTES} MB`,
		description: `Only ${received} messages fit. Lower the option 'Max Messages'.`,
		sent: true,
	});
}

function isTimeUp(error: unknown, deadline: number): boolean {
	const { code } = error as Partial<ServiceError>;
	return code === Status.DEADLINE_EXCEEDED && Date.now() >= deadline - MAX_CLOCK_SKEW_MS;
}

interface StreamCall {
	readonly path: string;
	/** The deadline in milliseconds since 1970. */
	readonly deadline?: number;
	readonly requests: readonly Uint8Array[];
	/** Whether the client ends its half of the stream after the requests. */
	readonly halfClose: boolean;
	/** The reader calls this function when the headers of the response arrive. */
	readonly onOpen?: () => void;
}

/** Yields the responses with backpressure. The call is cancelled when the reader stops. */
export async function* readStream(
	channel: Channel,
	{ path, deadline, requests, halfClose, onOpen }: StreamCall,
): AsyncGenerator<Buffer, void> {
	const stream = openStream(channel, path, deadline);
	if (onOpen) stream.once('metadata', onOpen);
	try {
		void writeAll(stream, requests).then(() => halfClose && stream.end());
		yield* stream as AsyncIterable<Buffer>;
	} finally {
		closeStream(channel, stream);
	}
}

/** Resolves to undefined when the stream has ended. */
export type SendRequest = (request: Uint8Array) => Promise<Uint8Array | undefined>;

/** Opens a bidirectional stream in which each request has one response and no effect. */
export async function converse<T>(
	channel: Channel,
	{ path, timeout }: Call,
	conversation: (ask: SendRequest) => Promise<T>,
): Promise<T> {
	const deadline = Date.now() + timeout;
	return await retryRefused(channel, deadline, async () => {
		const stream = openStream(channel, path, deadline);
		const responses = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
		try {
			return await conversation(async (request) => {
				stream.write(request);
				try {
					return (await responses.next()).value;
				} catch (error) {
					throw asCallError(error, { path, sent: false });
				}
			});
		} finally {
			closeStream(channel, stream);
		}
	});
}

type Stream = ClientDuplexStream<Uint8Array, Buffer>;

function openStream(channel: Channel, path: string, deadline?: number): Stream {
	const { client, metadata } = channel;
	const stream = client.makeBidiStreamRequest(path, encodeBytes, decodeBytes, metadata, {
		deadline,
	});
	// An iterator that has returned handles no errors, so the error of the cancellation would end the process.
	stream.on('error', () => {});
	return channel.track(stream);
}

function closeStream(channel: Channel, stream: Stream): void {
	channel.untrack(stream);
	stream.cancel();
	// Destroying the stream ends a wait for `drain`.
	stream.destroy();
}

/** Writes with backpressure, until the stream closes. */
async function writeAll(stream: Stream, requests: readonly Uint8Array[]): Promise<void> {
	const closed = new Promise((resolve) => stream.once('close', resolve));
	for (const request of requests) {
		if (stream.destroyed) return;
		if (!stream.write(request)) await Promise.race([once(stream, 'drain').catch(() => {}), closed]);
	}
}

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 1000;
/** These are messages of grpc-js. */
const NOT_SENT_PATTERN = /^(No connection established|Name resolution failed)/;

/**
 * Repeats a call until the deadline as long as the server refused it before processing, as servers do that are
 * overloaded or shut down. An endpoint that has never answered fails at once: its address may be wrong.
 */
async function retryRefused<T>(
	channel: Channel,
	deadline: number,
	attempt: () => Promise<T>,
): Promise<T> {
	for (let wait = MIN_PAUSE_MS; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
		try {
			const result = await attempt();
			channel.hasAnswered = true;
			return result;
		} catch (error) {
			if (!isRefused(error, channel) || Date.now() + wait >= deadline) throw error;
			await pause(wait, undefined, { signal: channel.stop });
		}
	}
}

function isRefused(error: unknown, channel: Channel): boolean {
	const problem = getProblem(error);
	if (problem?.kind !== 'status') return false;
	const { fromServer, received, message } = problem;
	if (fromServer) channel.hasAnswered = true;
	if (fromServer || received > 0) return false;
	return (
		message === REFUSED_STREAM.details || (channel.hasAnswered && NOT_SENT_PATTERN.test(message))
	);
}
