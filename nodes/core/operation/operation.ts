import type { RequestFailure } from '../errors/requestFailure';
import type { Download } from '../transport/http/download';
import type { Field, Params } from './field';

/** What a list operation asked so far, to decide what to ask next. */
export interface PageState<Request> {
	readonly request: Request;
	/** How many more results are wanted; Infinity for all. */
	readonly missing: number;
}

export interface OperationInfo<Fields> {
	readonly name: string;
	/** As n8n lists it among the actions of the node, for example "Get many projects". */
	readonly action: string;
	readonly description: string;
	readonly fields: Fields;
	/** It spends, stores or sends: carried out at most once, in every protocol. */
	readonly atMostOnce?: boolean;
	/** It may wait long for something to happen: all items wait side by side. */
	readonly waits?: boolean;
	/** What the user can do about a failure. */
	advice?(failure: RequestFailure): string | undefined;
}

/** One request for an item, or page after page of the same kind. */
export interface RequestOperation<Request, Fields extends readonly Field[], Answer>
	extends OperationInfo<Fields> {
	request(parameters: Params<Fields>): Request;
	/** The answer, checked: what the protocol does not promise is refused here. */
	answer(body: unknown): Answer;
	/** The results that become items, one each. Without it the answer itself is the one result. */
	items?(answer: Answer, parameters: Params<Fields>): readonly unknown[];
	/** Further requests, which may travel side by side; an empty list ends it. Asked of the last page only. */
	next?(answer: Answer, asked: PageState<Request>): readonly Request[];
}

/** What the run gives to the work on one item. */
export interface RunContext<Request> {
	/** Where the protocol batches, calls of one tick travel together. */
	call(request: Request): Promise<unknown>;
	/** Waits until so many calls may leave: items that wait come back together, at most one request a second. */
	wait(milliseconds: number, calls?: number): Promise<void>;
	/** What all items of the run remember of a kind, made when it is first asked for. */
	shared<T>(kind: () => T): T;
	/** A file that anyone may read, of at most 1 MB: the credential stays behind. */
	download: Download;
	/** The time zone of the workflow, by its IANA name. */
	readonly timezone: string;
}

/** Several requests for an item. What it yields becomes items; when the limit is reached, nothing more is pulled. */
export interface GeneratorOperation<Request, Fields extends readonly Field[]>
	extends OperationInfo<Fields> {
	run(parameters: Params<Fields>, context: RunContext<Request>): AsyncIterable<unknown>;
}

/** An operation among others: its own types are known to itself alone. */
export interface AnyRequestOperation<Request> extends OperationInfo<readonly Field[]> {
	request(parameters: never): Request;
	answer(body: unknown): unknown;
	items?(answer: never, parameters: never): readonly unknown[];
	next?(answer: never, asked: PageState<Request>): readonly Request[];
}

interface AnyGeneratorOperation<Request> extends OperationInfo<readonly Field[]> {
	run(parameters: never, context: RunContext<Request>): AsyncIterable<unknown>;
}

/**
 * An operation is a value: its fields, and either pure functions from their values to a request and from the answer to
 * items, or an async generator over what the run gives it. It knows nothing of n8n.
 */
export type AnyOperation<Request> = AnyRequestOperation<Request> | AnyGeneratorOperation<Request>;

export type Operations<Request> = Readonly<Record<string, AnyOperation<Request>>>;

interface Resource<Request> {
	readonly name: string;
	readonly operations: Operations<Request>;
}

/** What a node does: operations by resource. The keys are what workflows store. */
export type Resources<Request> = Readonly<Record<string, Resource<Request>>>;

/** Gives an operation of a protocol its types; at run time it returns the operation as it is. */
export function createOperationTyper<Request>() {
	function typed<const Fields extends readonly Field[], Answer>(
		operation: RequestOperation<Request, Fields, Answer>,
	): RequestOperation<Request, Fields, Answer>;
	function typed<const Fields extends readonly Field[]>(
		operation: GeneratorOperation<Request, Fields>,
	): GeneratorOperation<Request, Fields>;
	function typed<T>(operation: T): T {
		return operation;
	}
	return typed;
}
