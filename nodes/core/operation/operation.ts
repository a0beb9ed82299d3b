import type { IParameterBuilderHint } from 'n8n-workflow';
import type { RequestFailure } from '../errors/requestFailure';
import type { Download } from '../net/http/download';
import type { FileStreams } from '../net/http/fileStream';
import type { Field, Params } from './field';
import type { Shared } from '../net/pacing/shared';

/** The state of an operation that reads a list. The next requests are computed from it. */
export interface PageState<Request> {
	readonly request: Request;
	/** How many more results are wanted; Infinity for all. */
	readonly missing: number;
}

export interface OperationInfo<Fields> {
	readonly name: string;
	/** The text in the node's list of actions, such as "Get many projects". */
	readonly action: string;
	readonly description: string;
	/** A hint for n8n's builder, beside the description. */
	readonly builderHint?: IParameterBuilderHint;
	readonly fields: Fields;
	/** Whether the operation spends, stores or sends something. Each request is then carried out at most once. */
	readonly atMostOnce?: boolean;
	/** Whether it may wait long for an event: all items then wait side by side. */
	readonly waits?: boolean;
	/** The number of items that may share one request; 1 by default. */
	readonly itemsPerRequest?: number;
	/** Says what the user can do about a failure. */
	advice?(failure: RequestFailure): string | undefined;
}

/** An operation that makes one request for an item, or reads a list page by page. */
export interface RequestOperation<Request, Fields extends readonly Field[], Answer, Plan>
	extends OperationInfo<Fields> {
	/** What the request and the items are both made of; without it these are the parameters. Made once for an item. */
	plan?(parameters: Params<Fields>): Plan;
	request(plan: NoInfer<Plan>): Request;
	/** Checks the answer of the service. Throws if the answer is not as the protocol promises. */
	answer(body: unknown): Answer;
	/** The results that become items, one each. Without it the answer itself is the one result. */
	items?(answer: Answer, plan: NoInfer<Plan>): readonly unknown[];
	/**
	 * Returns the requests for further pages, which may run at the same time. An empty list ends the operation. Only
	 * the last page is passed in.
	 */
	next?(answer: Answer, asked: PageState<Request>): readonly Request[];
}

/** The functions that a run provides to an operation for one item. */
export interface RunContext<Request> extends FileStreams {
	/** Sends a request. Where the protocol batches, calls of one tick travel together. */
	call(request: Request): Promise<unknown>;
	/** Waits until this many calls may be sent. Items that wait continue together, at most one request per second. */
	wait(milliseconds: number, calls?: number): Promise<void>;
	/** A value that all items of the run share, made when it is first asked for. */
	readonly shared: Shared;
	/** Downloads a public file of up to 1 MB, without the credential. */
	download: Download;
	/** The time zone of the workflow, by its IANA name. */
	readonly timezone: string;
	/**
	 * Shows a message above the output that is not an error, such as that a list was cut short. The same message is
	 * shown once.
	 */
	addHint(message: string): void;
	/** Removes secrets from words of the service that become part of an item: those of errors are removed by the run. */
	redact(text: string): string;
}

/** Shows several messages above the output; undefined messages are skipped. */
export function addHints(
	{ addHint }: Pick<RunContext<never>, 'addHint'>,
	hints: ReadonlyArray<string | undefined>,
): void {
	for (const hint of hints) if (hint !== undefined) addHint(hint);
}

/**
 * An operation that makes several requests for an item. Each yielded value becomes an item. At the limit, the
 * generator is not continued.
 */
export interface GeneratorOperation<Request, Fields extends readonly Field[]>
	extends OperationInfo<Fields> {
	run(parameters: Params<Fields>, context: RunContext<Request>): AsyncIterable<unknown>;
}

/** Something that an item has reserved, such as the next nonce of an account. */
export interface Reservation {
	/** Is called when the item is over, whatever its outcome. */
	release(): void;
}

/** An operation whose items reserve something in their order, such as consecutive nonces of an account. */
export interface ReservingOperation<
	Request,
	Fields extends readonly Field[],
	Place extends Reservation,
> extends OperationInfo<Fields> {
	/**
	 * Reserves a turn for the item. Is called before the operation awaits anything, so that turns follow the order of
	 * the items.
	 */
	reserve(parameters: Params<Fields>, context: RunContext<Request>): Place;
	run(
		parameters: Params<Fields>,
		context: RunContext<Request>,
		place: NoInfer<Place>,
	): AsyncIterable<unknown>;
}

/**
 * An operation with parameters and answers of any type, for lists of different operations. TypeScript compares method
 * parameters both ways, so each operation is assignable to this type.
 */
export type AnyRequestOperation<Request> = RequestOperation<
	Request,
	readonly Field[],
	unknown,
	unknown
>;

/**
 * An operation consists of its fields and its functions, and does not depend on n8n. The functions are either pure
 * (parameters to request, answer to items) or an async generator that uses the run's functions.
 */
export type AnyOperation<Request> =
	| AnyRequestOperation<Request>
	| GeneratorOperation<Request, readonly Field[]>
	| ReservingOperation<Request, readonly Field[], Reservation>;

export type Operations<Request> = Readonly<Record<string, AnyOperation<Request>>>;

interface Resource<Request> {
	readonly name: string;
	readonly operations: Operations<Request>;
}

/** The operations of a node, grouped by resource. Workflows store the keys. */
export type Resources<Request> = Readonly<Record<string, Resource<Request>>>;

/** Gives an operation the types of a protocol; at run time it returns the operation unchanged. */
export function createOperationTyper<Request>() {
	function typed<const Fields extends readonly Field[], Answer, Plan = Params<Fields>>(
		operation: RequestOperation<Request, Fields, Answer, Plan>,
	): RequestOperation<Request, Fields, Answer, Plan>;
	function typed<const Fields extends readonly Field[], Place extends Reservation>(
		operation: ReservingOperation<Request, Fields, Place>,
	): ReservingOperation<Request, Fields, Place>;
	function typed<const Fields extends readonly Field[]>(
		operation: GeneratorOperation<Request, Fields>,
	): GeneratorOperation<Request, Fields>;
	function typed<T>(operation: T): T {
		return operation;
	}
	return typed;
}
