import type { RequestFailure } from '../errors/requestFailure';
import type { Download } from '../transport/http/download';
import type { Field, Params } from './field';

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
	readonly fields: Fields;
	/** Whether it spends, stores or sends, so that every protocol carries it out at most once. */
	readonly atMostOnce?: boolean;
	/** Whether it may wait long for an event: all items then wait side by side. */
	readonly waits?: boolean;
	/** What the user can do about a failure. */
	advice?(failure: RequestFailure): string | undefined;
}

/** An operation with one request for an item, or page after page of the same kind. */
export interface RequestOperation<Request, Fields extends readonly Field[], Answer>
	extends OperationInfo<Fields> {
	request(parameters: Params<Fields>): Request;
	/** Checks the answer and refuses what the protocol does not promise. */
	answer(body: unknown): Answer;
	/** The results that become items, one each. Without this function, the answer is the only result. */
	items?(answer: Answer, parameters: Params<Fields>): readonly unknown[];
	/** Further requests, which may travel side by side; an empty list ends the pages. Only the last page is asked. */
	next?(answer: Answer, asked: PageState<Request>): readonly Request[];
}

/** What the run gives to an operation for one item. */
export interface RunContext<Request> {
	/** Sends a request. Where the protocol batches, calls of one tick travel together. */
	call(request: Request): Promise<unknown>;
	/** Waits until this many calls may be sent: items that wait are resumed together, at most one request a second. */
	wait(milliseconds: number, calls?: number): Promise<void>;
	/** Returns the value that all items of the run share, created on first use. */
	shared<T>(kind: () => T): T;
	/** Downloads a public file of at most 1 MB, without the credential. */
	download: Download;
	/** The time zone of the workflow, by its IANA name. */
	readonly timezone: string;
}

/** An operation with several requests for an item. What it yields becomes items; when the limit is reached, nothing more is pulled. */
export interface GeneratorOperation<Request, Fields extends readonly Field[]>
	extends OperationInfo<Fields> {
	run(parameters: Params<Fields>, context: RunContext<Request>): AsyncIterable<unknown>;
}

/** An operation of any types; its own types are known only where it is defined. */
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

/** Gives an operation the types of a protocol; at run time it returns the operation unchanged. */
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
