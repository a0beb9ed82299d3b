import type { ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import type { Channel } from './channel.mts';
import { comeBackAfter } from './comeBack.mts';
import { Trouble } from './problem.mts';

const DEADLINE_EXCEEDED = 4;
/** The service knows the deadline too, and its clock may be a little ahead. */
const EARLY = 50;

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
			else reject(failed(path, error));
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
	try {
		for await (const reply of call) {
			replies.push(reply as Buffer);
			if (replies.length === most) break;
		}
	} catch (error) {
		const isOver = codeOf(error) === DEADLINE_EXCEEDED && Date.now() >= deadline - EARLY;
		if (!isOver || replies.length === 0) throw failed(path, error, replies.length);
	} finally {
		end(channel, call);
	}
	return replies;
}

export type Ask = (question: Uint8Array) => Promise<Uint8Array>;

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
			const { value } = await answers.next();
			return value ?? Buffer.alloc(0);
		});
	} catch (error) {
		throw failed(path, error);
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

/** A status as a problem; anything else as it is. */
function failed(path: string, error: unknown, arrived = 0): unknown {
	const code = codeOf(error);
	if (code === undefined) return error;
	const { details: words, metadata } = error as ServiceError;
	const after = comeBackAfter(metadata);
	return new Trouble({ kind: 'status', code, words, path: path.slice(1), arrived, after });
}

function codeOf(error: unknown): number | undefined {
	const code = (error as Partial<ServiceError> | null)?.code;
	return typeof code === 'number' ? code : undefined;
}
