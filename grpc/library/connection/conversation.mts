import { untilTaken } from './attempts.mts';
import type { Call } from './calls.mts';
import type { Channel } from './channel.mts';
import { failed } from './status.mts';
import { begin, end } from './streams.mts';

/** Resolves to nothing when the conversation is over. */
export type Ask = (question: Uint8Array) => Promise<Uint8Array | undefined>;

/** A conversation in which each question has one answer. */
export async function converse<T>(
	channel: Channel,
	{ path, timeout }: Call,
	conversation: (ask: Ask) => Promise<T>,
): Promise<T> {
	const deadline = Date.now() + timeout;
	return await untilTaken(channel, deadline, async () => {
		const stream = begin(channel, path, deadline);
		const answers = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
		try {
			return await conversation(async (question) => {
				stream.write(question);
				try {
					return (await answers.next()).value;
				} catch (error) {
					throw failed({ path, sent: false }, error);
				}
			});
		} finally {
			end(channel, stream);
		}
	});
}
