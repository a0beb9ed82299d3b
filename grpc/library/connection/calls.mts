import type { ServiceError } from '@grpc/grpc-js';
import { retryRefused } from './attempts.mts';
import type { Channel } from './channel.mts';
import { toCallError } from './status.mts';

/** What all calls have in common. */
export interface Call {
	/** `/package.Service/Method` */
	readonly path: string;
	/** How many milliseconds it may take. */
	readonly timeout: number;
}

/** Messages travel as bytes; what they mean is known elsewhere. */
export const toBytes = (message: Uint8Array) => Buffer.from(message);
export const fromBytes = (bytes: Buffer) => bytes;

/** One request, one answer. */
export async function unary(
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
				const answered = (error: ServiceError | null, reply?: Buffer) => {
					channel.untrack(call);
					if (reply) resolve(reply);
					else reject(toCallError({ path, sent: true }, error));
				};
				const options = { deadline };
				const call = channel.track(
					client.makeUnaryRequest(path, toBytes, fromBytes, request, metadata, options, answered),
				);
			}),
	);
}
