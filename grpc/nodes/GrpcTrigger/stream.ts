import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { wait } from '../../../nodes/core/pacing/wait';
import { Outage } from '../../../nodes/core/trigger/outage';
import { backoff } from '../../../nodes/core/trigger/timing';
import type { MethodRequest } from '../../library/session.mts';
import type { Endpoint } from '../core/endpoint';
import type { Intake } from './intake';
import type { Timing } from './timing';

/** A stream that the service has taken. */
export interface Stream {
	/** Fails when the stream is over, for whatever reason. */
	readonly over: Promise<never>;
}

export type Open = (heard?: () => void) => Promise<Stream>;

/** Opens the stream with its requests. What it brings goes to the intake. */
export function opener(
	endpoint: Endpoint,
	request: MethodRequest,
	intake: Intake,
	closing: AbortSignal,
	{ opening }: Timing,
): Open {
	return async (heard = () => {}) => {
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
			await intake.put(message, bytes);
		};
		const over = endpoint.listen(request, { opened, take }).then(ended);
		over.catch(() => {
			isOver = true;
			if (!isOpened) endpoint.reset();
			settled.abort();
		});
		await wait(opening, closing, settled.signal);
		return isOver ? await over : { over };
	};
}

function ended(): never {
	throw new RequestFailure('The service ended the stream', {
		description: 'The trigger is meant for streams that stay open.',
	});
}

/** Keeps a trigger going until it is closed: opens the stream again whenever it is over. */
export async function keepOpen(
	{ open, report }: { readonly open: Open; report(cause: unknown): void },
	first: Stream | undefined,
	closing: AbortSignal,
	timing: Timing,
): Promise<void> {
	const outage = new Outage(report, timing.outage);
	let stream = first;
	for (let attempt = 0; !closing.aborted; attempt++) {
		let since = Infinity;
		try {
			stream ??= await open(() => outage.ended());
			since = Date.now();
			await stream.over;
		} catch (cause) {
			if (closing.aborted) return;
			const wasGood = Date.now() - since > timing.goodLife;
			if (wasGood) outage.ended();
			if (wasGood) attempt = 0;
			outage.goesOn(cause);
		}
		stream = undefined;
		await wait(backoff(attempt, timing), closing);
	}
}
