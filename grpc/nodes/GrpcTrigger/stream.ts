import { RequestFailure, wait } from '../../../nodes/core';
import type { MethodRequest } from '../../library/session.mts';
import type { Endpoint } from '../core/endpoint';
import type { MessageBuffer } from './intake';
import type { Timing } from './timing';

/** A stream that the service has taken. */
export interface Stream {
	/** Fails when the stream is over, for whatever reason. */
	readonly over: Promise<never>;
}

export type Open = (heard: () => void) => Promise<Stream>;

/** Opens the stream with its requests. What it brings goes to the intake. */
export function streamOpener(
	endpoint: Endpoint,
	request: MethodRequest,
	intake: MessageBuffer,
	closing: AbortSignal,
	{ openTimeout: opening }: Timing,
): Open {
	return async (heard) => {
		const settled = new AbortController();
		let isOpened = false;
		let isOver = false;
		const opened = () => {
			isOpened = true;
			settled.abort();
		};
		const take = async (message: unknown, bytes: number) => {
			opened();
			heard();
			await intake.push(message, bytes);
		};
		const over = endpoint.listen(request, { onOpen: opened, onMessage: take }).then(streamEnded);
		over.catch(() => {
			isOver = true;
			if (!isOpened) endpoint.reset();
			settled.abort();
		});
		await wait(opening, closing, settled.signal);
		return isOver ? await over : { over };
	};
}

function streamEnded(): never {
	throw new RequestFailure('The service ended the stream', {
		description: 'The trigger is meant for streams that stay open.',
	});
}

/** What has lasted was no outage, though nothing may have come. */
export async function followStream(
	{ over }: Stream,
	well: () => void,
	{ goodLife }: Timing,
): Promise<never> {
	const since = Date.now();
	try {
		return await over;
	} finally {
		if (Date.now() - since > goodLife) well();
	}
}
