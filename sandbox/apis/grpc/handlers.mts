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

/** What the caller is meant to see. */
export class GrpcFailure extends Error {
	readonly code: number;

	constructor(code: number, message: string) {
		super(message);
		this.code = code;
	}
}

type Messages<Message> = Iterable<Message> | AsyncIterable<Message>;

export const unaryHandler =
	<Asked, Answer>(answer: (asked: Asked, metadata: Metadata) => Answer | Promise<Answer>) =>
	(call: ServerUnaryCall<Asked, Answer>, callback: sendUnaryData<Answer>) =>
		void answerOnce(async () => answer(call.request, call.metadata), callback);

export const serverStreamHandler =
	<Asked, Answer>(answers: (asked: Asked) => Messages<Answer>) =>
	(call: ServerWritableStream<Asked, Answer>) =>
		void sendMessages(call, answers(call.request));

export const clientStreamHandler =
	<Asked, Answer>(answer: (asked: AsyncIterable<Asked>) => Promise<Answer>) =>
	(call: ServerReadableStream<Asked, Answer>, callback: sendUnaryData<Answer>) =>
		void answerOnce(() => answer(getRequests(call)), callback);

export const bidirectionalHandler =
	<Asked, Answer>(answers: (asked: AsyncIterable<Asked>) => Messages<Answer>) =>
	(call: ServerDuplexStream<Asked, Answer>) =>
		void sendMessages(call, answers(getRequests(call)));

async function answerOnce<Answer>(make: () => Promise<Answer>, callback: sendUnaryData<Answer>) {
	await make().then(
		(answer) => callback(null, answer),
		(error: Error) => callback(error),
	);
}

/** Without this option a refusal in the middle would destroy the call before it is answered. */
const getRequests = <Asked,>(call: Readable): AsyncIterable<Asked> =>
	call.iterator({ destroyOnReturn: false });

/** No faster than the client takes it, and no longer than it listens. */
async function sendMessages<Asked, Answer>(
	call: ServerWritableStream<Asked, Answer> | ServerDuplexStream<Asked, Answer>,
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
