import type { IExecuteFunctions } from 'n8n-workflow';
import type { Stop } from '../net/pacing/stop';

/** The information that a client needs about a call, in addition to its request. */
export interface Call {
	readonly item: number;
	/** Whether it must not be carried out twice: it is sent again only when a limit rejected it and said when to come back. */
	readonly atMostOnce: boolean;
}

/** The connection to a service during one run of a node. */
export interface Client<Request> {
	/** How many items are worth working on at the same time. */
	readonly parallelItems: number;
	/** How many calls one round of polls makes, such as those that fit into one request; 1 by default. */
	readonly batchSize?: number;
	/** Whether a request must not be carried out twice, though its operation does not say so. */
	isAtMostOnce?(request: Request): boolean;
	call(request: Request, call: Call): Promise<unknown>;
	/** Masks the credential's secrets in text that people will read. */
	redact(text: string): string;
	/** Is called once, when the run is over, whatever its outcome. */
	close?(): void;
}

/** Creates the client of a run. Credentials and options are read only once, at the beginning of the run. */
export type Connect<Request, Context = IExecuteFunctions> = (
	context: Context,
	stop: Stop,
) => Promise<Client<Request>>;
