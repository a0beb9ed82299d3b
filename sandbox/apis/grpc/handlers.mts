import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type {
	Metadata,
	sendUnaryData,
	ServerDuplexStream,
	ServerReadableStream,
	ServerUnaryCall,
	ServerWritableStream,
} from '@grpc/grpc-js';

/** A failure whose message is shown to the caller. */
export class GrpcFailure extends Error {
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.code = code;
	}
}

type Messages<Message> = Iterable<Message> | AsyncIterable<Message>;

export const unaryHandler =
	<Request, Answer>(answer: (request: Request, metadata: Metadata) => Answer | Promise<Answer>) =>
	(call: ServerUnaryCall<Request, Answer>, callback: sendUnaryData<Answer>) =>
		void answerOnce(async () => answer(call.request, call.metadata), callback);

export const serverStreamHandler =
	<Request, Answer>(answers: (request: Request) => Messages<Answer>) =>
	(call: ServerWritableStream<Request, Answer>) =>
		void sendMessages(call, answers(call.request));

export const clientStreamHandler =
	<Request, Answer>(answer: (requests: AsyncIterable<Request>) => Promise<Answer>) =>
	(call: ServerReadableStream<Request, Answer>, callback: sendUnaryData<Answer>) =>
		void answerOnce(() => answer(getRequests(call)), callback);

export const bidirectionalHandler =
	<Request, Answer>(answers: (requests: AsyncIterable<Request>) => Messages<Answer>) =>
	(call: ServerDuplexStream<Request, Answer>) =>
		void sendMessages(call, answers(getRequests(call)));

async function answerOnce<Answer>(make: () => Promise<Answer>, callback: sendUnaryData<Answer>) {
	await make().then(
		(answer) => callback(null, answer),
		(error: Error) => callback(error),
	);
}

/**
 * Iterates over the requests of a call. Without this option, a refusal in the middle would destroy the call before it
 * is answered.
 */
const getRequests = <Request,>(call: Readable): AsyncIterable<Request> =>
	call.iterator({ destroyOnReturn: false });

/** Sends messages only as fast as the client takes them, and stops when the client no longer listens. */
async function sendMessages<Request, Answer>(
	call: ServerWritableStream<Request, Answer> | ServerDuplexStream<Request, Answer>,
	messages: Messages<Answer>,
): Promise<void> {
	const gone = new Promise((resolve) => call.once('close', resolve));
	try {
		for await (const message of messages) {
			if (call.cancelled) return;
			if (!call.write(message)) await Promise.race([once(call, 'drain'), gone]);
		}
		call.end();
	} catch (error) {
		if (!call.cancelled) call.emit('error', error);
	}
}
