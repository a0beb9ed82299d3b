import type { ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import type { Channel } from './channel.mts';
import { failed } from './failed.mts';
import { trouble } from './problem.mts';

const DEADLINE_EXCEEDED = 4;
/** The service knows the deadline too, and its clock may be a little ahead. */
const EARLY = 50;
/** What a stream may hold in all. */
const MOST_MEGABYTES = 256;

/** Messages travel as bytes; what they mean is known elsewhere. */
const toBytes = (message: Uint8Array) => Buffer.from(message);
const fromBytes = (bytes: Buffer) => bytes;

export async function unary(
	channel: Channel,
	path: string,
	request: Uint8Array,
	timeout: number,
): Promise<Uint8Array> {
	const { client, metadata } = channel;
	const options = { deadline: Date.now() + timeout };
	return await new Promise((resolve, reject) => {
		const answered = (error: ServiceError | null, reply?: Buffer) => {
			channel.ended(call);
			if (reply) resolve(reply);
			else reject(failed({ path, sent: true }, error));
		};
		const call = channel.began(
			client.makeUnaryRequest(path, toBytes, fromBytes, request, metadata, options, answered),
		);
	});
}

/** The messages of a stream: up to so many, or as many as arrive in time. */
export async function stream(
	channel: Channel,
	path: string,
	request: Uint8Array,
	timeout: number,
	most: number,
): Promise<Uint8Array[]> {
	const { client, metadata } = channel;
	const deadline = Date.now() + timeout;
	const call = begun(
		channel,
		client.makeServerStreamRequest(path, toBytes, fromBytes, request, metadata, { deadline }),
	);
	const replies: Uint8Array[] = [];
	let room = MOST_MEGABYTES * 1024 * 1024;
	try {
		for await (const reply of call as AsyncIterable<Buffer>) {
			room -= reply.length;
			if (room < 0) tooLarge(replies.length);
			replies.push(reply);
			if (replies.length === most) break;
		}
	} catch (error) {
		const { code } = error as Partial<ServiceError>;
		const isOver = code === DEADLINE_EXCEEDED && Date.now() >= deadline - EARLY;
		if (!isOver || replies.length === 0) {
			throw failed({ path, sent: true }, error, replies.length);
		}
	} finally {
		end(channel, call);
	}
	return replies;
}

function tooLarge(arrived: number): never {
	return trouble({
		kind: 'garbled',
		message: `The stream is larger than ${MOST_MEGABYTES} MB`,
		description: `So many messages fit: ${arrived}. Lower the option 'Max Messages'.`,
		sent: true,
	});
}

/** Resolves to nothing when the conversation is over. */
export type Ask = (question: Uint8Array) => Promise<Uint8Array | undefined>;

/** A conversation in which each question has one answer. */
export async function converse<T>(
	channel: Channel,
	path: string,
	timeout: number,
	conversation: (ask: Ask) => Promise<T>,
): Promise<T> {
	const { client, metadata } = channel;
	const options = { deadline: Date.now() + timeout };
	const call = begun(
		channel,
		client.makeBidiStreamRequest(path, toBytes, fromBytes, metadata, options),
	);
	const answers = call[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
	try {
		return await conversation(async (question) => {
			call.write(question);
			try {
				return (await answers.next()).value;
			} catch (error) {
				throw failed({ path, sent: false }, error);
			}
		});
	} finally {
		end(channel, call);
	}
}

/** Whoever stops reading does not hear of the cancellation; unheard, it would end the process. */
function begun<Call extends ClientReadableStream<Buffer>>(channel: Channel, call: Call): Call {
	call.on('error', () => {});
	return channel.began(call);
}

function end(channel: Channel, call: ClientReadableStream<Buffer>): void {
	channel.ended(call);
	call.cancel();
}
