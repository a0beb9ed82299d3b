import type { IExecuteFunctions } from 'n8n-workflow';
import type { Stop } from '../net/pacing/stop';

/** What a protocol needs to know about a call beside its request. */
export interface Call {
	readonly item: number;
	/** Whether it must not be carried out twice: it is sent again only when a limit rejected it and said when to come back. */
	readonly atMostOnce: boolean;
}

/** The connection of one run of a node to a service. */
export interface Client<Request> {
	/** How many items are worth working on at the same time. */
	readonly parallelItems: number;
	/** How many calls one round of polls makes, such as those that fit into one request; 1 unless given. */
	readonly batchSize?: number;
	/** Whether a request must not be carried out twice, though its operation does not say so. */
	isAtMostOnce?(request: Request): boolean;
	call(request: Request, call: Call): Promise<unknown>;
	/** Redacts the credential's secrets in words that people will read. */
	redact(text: string): string;
	/** Is called once, when the run is over, whatever its outcome. */
	close?(): void;
}

/** Makes the client when a run begins; credentials and options are read once, here. */
export type Connect<Request, Context = IExecuteFunctions> = (
	context: Context,
	stop: Stop,
) => Promise<Client<Request>>;
