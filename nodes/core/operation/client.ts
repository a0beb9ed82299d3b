import type { IExecuteFunctions } from 'n8n-workflow';
import type { Stop } from '../net/pacing/stop';

/** The information that a client needs about a call, in addition to its request. */
export interface Call {
	readonly item: number;
	/**
	 * Whether the call must not be carried out twice. It is then sent again only if a rate limit rejected it and named
	 * a time.
	 */
	readonly atMostOnce: boolean;
}

/** The connection to a service during one run of a node. */
export interface Client<Request> {
	/** How many items should run at the same time. */
	readonly parallelItems: number;
	/** How many calls of waiting items are sent together, such as the number that fits into one request; 1 by default. */
	readonly batchSize?: number;
	/** Whether a request must not be carried out twice, even if its operation does not say so. */
	isAtMostOnce?(request: Request): boolean;
	call(request: Request, call: Call): Promise<unknown>;
	/** Masks the credential's secrets in text that people will read. */
	redact(text: string): string;
	/** Is called once at the end of the run, whether it failed or not. */
	close?(): void;
}

/** Creates the client of a run. Credentials and options are read only once, at the beginning of the run. */
export type Connect<Request, Context = IExecuteFunctions> = (
	context: Context,
	stop: Stop,
) => Promise<Client<Request>>;
