import type { IParameterBuilderHint } from 'n8n-workflow';
import type { RequestFailure } from '../errors/requestFailure';
import type { Download } from '../net/http/download';
import type { FileStreams } from '../net/http/fileStream';
import type { Field, Params } from './field';
import type { Shared } from '../net/pacing/shared';

/** The state of a list operation, from which its next requests follow. */
export interface PageState<Request> {
	readonly request: Request;
	/** How many more results are wanted; Infinity for all. */
	readonly missing: number;
}

export interface OperationInfo<Fields> {
	readonly name: string;
	/** The name among the actions of the node, for example "Get many projects". */
	readonly action: string;
	readonly description: string;
	/** A hint for n8n's builder, beside the description. */
	readonly builderHint?: IParameterBuilderHint;
	readonly fields: Fields;
	/** Whether it spends, stores or sends, so that every protocol carries it out at most once. */
	readonly atMostOnce?: boolean;
	/** Whether it may wait long for an event: all items then wait side by side. */
	readonly waits?: boolean;
	/** The number of items that one request may serve, where items share requests; 1 unless given. */
	readonly itemsPerRequest?: number;
	/** Says what the user can do about a failure. */
	advice?(failure: RequestFailure): string | undefined;
}

/** One request for an item, or page after page of the same kind. */
export interface RequestOperation<Request, Fields extends readonly Field[], Answer, Plan>
	extends OperationInfo<Fields> {
	/** What the request and the items are both made of; without it these are the parameters. Made once for an item. */
	plan?(parameters: Params<Fields>): Plan;
	request(plan: NoInfer<Plan>): Request;
	/** The answer, checked: what the protocol does not promise is refused here. */
	answer(body: unknown): Answer;
	/** The results that become items, one each. Without it the answer itself is the one result. */
	items?(answer: Answer, plan: NoInfer<Plan>): readonly unknown[];
	/** Further requests, which may travel side by side; an empty list ends it. Asked of the last page only. */
	next?(answer: Answer, asked: PageState<Request>): readonly Request[];
}

/** What the run gives to an operation for one item. */
export interface RunContext<Request> extends FileStreams {
	/** Sends a request. Where the protocol batches, calls of one tick travel together. */
	call(request: Request): Promise<unknown>;
	/** Waits until this many calls may be sent: items that wait are resumed together, at most one request a second. */
	wait(milliseconds: number, calls?: number): Promise<void>;
	/** A value that all items of the run share, made when it is first asked for. */
	readonly shared: Shared;
	/** A file that anyone may read, of at most 1 MB: the credential stays behind. */
	download: Download;
	/** The time zone of the workflow, by its IANA name. */
	readonly timezone: string;
	/** Says something above the output that is no failure, such as that a list was cut short. The same words are shown once. */
	addHint(message: string): void;
	/** Removes secrets from words of the service that become part of an item: those of errors are removed by the run. */
	redact(text: string): string;
}

/** Says above the output what is true of an item and is no failure. */
export function addHints(
	{ addHint }: Pick<RunContext<never>, 'addHint'>,
	hints: ReadonlyArray<string | undefined>,
): void {
	for (const hint of hints) if (hint !== undefined) addHint(hint);
}

/**
 * An operation with several requests for an item. Each value that it yields becomes an item; when the limit is reached,
 * nothing more is pulled.
 */
export interface GeneratorOperation<Request, Fields extends readonly Field[]>
	extends OperationInfo<Fields> {
	run(parameters: Params<Fields>, context: RunContext<Request>): AsyncIterable<unknown>;
}

/** What an item keeps from the others while it is worked on. */
export interface Reservation {
	/** Is called when the item is over, whatever its outcome. */
	release(): void;
}

/** An operation whose items take places in their own order, such as the nonces of one account. */
export interface ReservingOperation<
	Request,
	Fields extends readonly Field[],
	Place extends Reservation,
> extends OperationInfo<Fields> {
	/** Takes the item's place before anything is awaited, and so in the order of the items. */
	reserve(parameters: Params<Fields>, context: RunContext<Request>): Place;
	run(
		parameters: Params<Fields>,
		context: RunContext<Request>,
		place: NoInfer<Place>,
	): AsyncIterable<unknown>;
}

/**
 * An operation of any kind, for lists of operations whose types of parameters and answers differ. The members of
 * operations are methods, which TypeScript compares both ways: each operation fits the type that takes any parameters.
 */
export type AnyRequestOperation<Request> = RequestOperation<
	Request,
	readonly Field[],
	unknown,
	unknown
>;

/**
 * An operation is a value: its fields, and either pure functions from their values to a request and from the answer to
 * items, or an async generator over what the run gives it. It knows nothing of n8n.
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

/** What a node does: operations by resource. The keys are what workflows store. */
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
