import { retryRefused } from './attempts.mts';
import type { Call } from './calls.mts';
import type { Channel } from './channel.mts';
import { toCallError } from './status.mts';
import { openStream, closeStream } from './streams.mts';

/** Resolves to nothing when the conversation is over. */
export type Ask = (question: Uint8Array) => Promise<Uint8Array | undefined>;

/** A conversation in which each question has one answer. */
export async function pingPong<T>(
	channel: Channel,
	{ path, timeout }: Call,
	conversation: (ask: Ask) => Promise<T>,
): Promise<T> {
	const deadline = Date.now() + timeout;
	return await retryRefused(channel, deadline, async () => {
		const stream = openStream(channel, path, deadline);
		const answers = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
		try {
			return await conversation(async (question) => {
				stream.write(question);
				try {
					return (await answers.next()).value;
				} catch (error) {
					throw toCallError({ path, sent: false }, error);
				}
			});
		} finally {
			closeStream(channel, stream);
		}
	});
}
