import { status as Status, type ClientDuplexStream, type ServiceError } from '@grpc/grpc-js';
import { once } from 'node:events';
import { problemOf, CallError, type ServiceProblem } from '../problem.mts';
import { retryRefused } from './attempts.mts';
import { fromBytes, toBytes, type Call } from './calls.mts';
import type { Channel } from './channel.mts';
import { toCallError } from './status.mts';

type Stream = ClientDuplexStream<Uint8Array, Buffer>;

/** The service knows the deadline too, and its clock may be a little ahead. */
const CLOCK_SKEW = 50;
/** What the answers of a call may hold in all. */
const MAX_MEGABYTES = 256;

/** What came of a stream. */
export interface StreamResult {
	readonly replies: readonly Uint8Array[];
	/** Why it broke off, if it did after something had arrived. */
	readonly broken?: ServiceProblem;
}

/** Sends all requests in order, then takes the answers: up to so many, or as many as arrive in time. */
export async function collectStream(
	channel: Channel,
	{ path, timeout }: Call,
	requests: readonly Uint8Array[],
	most: number,
): Promise<StreamResult> {
	const deadline = Date.now() + timeout;
	return await retryRefused(channel, deadline, async () => {
		const replies: Uint8Array[] = [];
		const conversation = { path, deadline, requests, isHalfClosed: true };
		try {
			await collect(readStream(channel, conversation), replies, most);
			return { replies };
		} catch (error) {
			const cause = toCallError({ path, sent: true }, error, replies.length);
			if (replies.length === 0 || cause === error) throw cause;
			return isTimeUp(error, deadline) ? { replies } : { replies, broken: brokenBy(cause) };
		}
	});
}

export interface StreamCall {
	readonly path: string;
	/** When to give up, in milliseconds since 1970. */
	readonly deadline?: number;
	readonly requests: readonly Uint8Array[];
	/** Whether the service is told that there are no more requests. */
	readonly isHalfClosed: boolean;
	/** Called when the service has taken the call. */
	readonly opened?: () => void;
}

/** The answers to requests, no faster than they are taken. The stream ends when nobody takes them any more. */
export async function* readStream(
	channel: Channel,
	{ path, deadline, requests, isHalfClosed, opened }: StreamCall,
): AsyncGenerator<Buffer, void> {
	const stream = openStream(channel, path, deadline);
	if (opened) stream.once('metadata', opened);
	try {
		void sendAll(stream, requests).then(() => isHalfClosed && stream.end());
		yield* stream as AsyncIterable<Buffer>;
	} finally {
		closeStream(channel, stream);
	}
}

async function collect(
	messages: AsyncIterable<Buffer>,
	replies: Uint8Array[],
	most: number,
): Promise<void> {
	let room = MAX_MEGABYTES * 1024 * 1024;
	for await (const reply of messages) {
		room -= reply.length;
		if (room < 0) throw tooLarge(replies.length);
		replies.push(reply);
		if (replies.length === most) return;
	}
}

function brokenBy(cause: unknown): ServiceProblem {
	return problemOf(cause) as ServiceProblem;
}

function isTimeUp(error: unknown, deadline: number): boolean {
	const { code } = error as Partial<ServiceError>;
	return code === Status.DEADLINE_EXCEEDED && Date.now() >= deadline - CLOCK_SKEW;
}

function tooLarge(arrived: number): CallError {
	return new CallError({
		kind: 'garbled',
		message: `The stream is larger than ${MAX_MEGABYTES} MB`,
		description: `Only ${arrived} messages fit. Lower the option 'Max Messages'.`,
		sent: true,
	});
}

export function openStream(channel: Channel, path: string, deadline?: number): Stream {
	const { client, metadata } = channel;
	const stream = client.makeBidiStreamRequest(path, toBytes, fromBytes, metadata, { deadline });
	// Whoever stops reading does not hear of the cancellation; unheard, it would end the process.
	stream.on('error', () => {});
	return channel.track(stream);
}

export function closeStream(channel: Channel, stream: Stream): void {
	channel.untrack(stream);
	stream.cancel();
	// Wakes who waits to send.
	stream.destroy();
}

/** No faster than the service takes them, and no longer than the stream lasts. */
async function sendAll(stream: Stream, requests: readonly Uint8Array[]): Promise<void> {
	const over = new Promise((resolve) => stream.once('close', resolve));
	for (const request of requests) {
		if (stream.destroyed) return;
		if (!stream.write(request)) await Promise.race([once(stream, 'drain').catch(() => {}), over]);
	}
}
