import type { IParameterBuilderHint } from 'n8n-workflow';
import type { RequestFailure } from '../errors/requestFailure';
import type { Download } from '../net/http/download';
import type { FileStreams } from '../net/http/fileStream';
import type { Field, Params } from './field';
import type { Shared } from '../net/pacing/shared';

/** The state of an operation that reads a list. The next requests are computed from it. */
export interface PageState<Request> {
	readonly request: Request;
	/** How many more results are wanted, or Infinity for all. */
	readonly missing: number;
}

export interface OperationInfo<Fields> {
	readonly name: string;
	/** The text in the node's list of actions, such as "Get many projects". */
	readonly action: string;
	readonly description: string;
	/** A hint for n8n's workflow builder, in addition to the description. */
	readonly builderHint?: IParameterBuilderHint;
	readonly fields: Fields;
	/** Whether the operation spends, stores or sends something. Each request is then carried out at most once. */
	readonly atMostOnce?: boolean;
	/** Whether the operation may wait long for an event. All items then wait at the same time. */
	readonly waits?: boolean;
	/** The number of items that may share one request; 1 by default. */
	readonly itemsPerRequest?: number;
	/** Returns advice for the user about a failure. */
	advice?(failure: RequestFailure): string | undefined;
}

/** An operation that makes one request for an item, or reads a list page by page. */
export interface RequestOperation<Request, Fields extends readonly Field[], Answer, Plan>
	extends OperationInfo<Fields> {
	/**
	 * Computes a value from the parameters, once for an item. The request and the items are built from it. Without this
	 * function, they are built from the parameters.
	 */
	plan?(parameters: Params<Fields>): Plan;
	request(plan: NoInfer<Plan>): Request;
	/** Checks the answer of the service. Throws if the answer is not as the protocol promises. */
	answer(body: unknown): Answer;
	/** Returns the results of an answer; each becomes an item. Without this function, the answer is the only result. */
	items?(answer: Answer, plan: NoInfer<Plan>): readonly unknown[];
	/**
	 * Returns the requests for further pages, which may run at the same time. `answer` is the latest page. An empty list
	 * ends the operation.
	 */
	next?(answer: Answer, asked: PageState<Request>): readonly Request[];
}

/** The functions that a run provides to an operation for one item. */
export interface RunContext<Request> extends FileStreams {
	/** Sends a request. If the protocol has batches, calls of the same tick share a batch. */
	call(request: Request): Promise<unknown>;
	/**
	 * Waits about `milliseconds`, and until `calls` calls may be sent. Items that wait at the same time share requests,
	 * at most one per second.
	 */
	wait(milliseconds: number, calls?: number): Promise<void>;
	/** Returns a value that all items of the run share. It is created on first use. */
	readonly shared: Shared;
	/** Downloads a public file of up to 1 MB, without the credential. */
	download: Download;
	/** The workflow's time zone, as an IANA name. */
	readonly timezone: string;
	/**
	 * Shows a message above the output, such as that a list was cut short. The message is not an error. The same message
	 * is shown once.
	 */
	addHint(message: string): void;
	/** Removes secrets from text of the service that becomes part of an item. In errors, the run removes them. */
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
 * An operation that makes several requests for an item. Each yielded value becomes an item. When the user's limit is
 * reached, the generator is stopped.
 */
export interface GeneratorOperation<Request, Fields extends readonly Field[]>
	extends OperationInfo<Fields> {
	run(parameters: Params<Fields>, context: RunContext<Request>): AsyncIterable<unknown>;
}

/** Something that an item has reserved, such as the next nonce of an account. */
export interface Reservation {
	/** Is called at the end of the item, whether it failed or not. */
	release(): void;
}

/** An operation whose items reserve something in their order, such as consecutive nonces of an account. */
export interface ReservingOperation<
	Request,
	Fields extends readonly Field[],
	Place extends Reservation,
> extends OperationInfo<Fields> {
	/**
	 * Reserves something for the item, such as a nonce. Is called before the operation awaits anything, so that
	 * reservations follow the order of the items.
	 */
	reserve(parameters: Params<Fields>, context: RunContext<Request>): Place;
	run(
		parameters: Params<Fields>,
		context: RunContext<Request>,
		place: NoInfer<Place>,
	): AsyncIterable<unknown>;
}

/**
 * An operation with parameters and answers of any type, for lists of different operations. TypeScript compares the
 * parameters of methods loosely, so each operation is assignable to this type.
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

/** The operations of a node, grouped by resource. The keys must not change, because workflows store them. */
export type Resources<Request> = Readonly<Record<string, Resource<Request>>>;

/** Makes a function that gives an operation its types. At run time, the function returns the operation unchanged. */
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
