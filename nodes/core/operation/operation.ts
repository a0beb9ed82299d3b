import type { RequestFailure } from '../errors/requestFailure';
import type { Field, Params } from './field';

/** What a list operation asked so far, to decide what to ask next. */
export interface Asked<Request> {
	readonly request: Request;
	/** How many more things are wanted; Infinity for all. */
	readonly missing: number;
}

/**
 * An operation is a value: its fields, a pure function from their values to a request, and pure functions
 * from the answer to items. It knows nothing of n8n.
 */
export interface Operation<
	Request,
	Fields extends readonly Field[] = readonly Field[],
	Answer = unknown,
> {
	readonly name: string;
	/** As n8n lists it among the actions of the node, for example "Get many projects". */
	readonly action: string;
	readonly description: string;
	readonly fields: Fields;
	/** It spends, stores or sends: carried out at most once, in every protocol. */
	readonly once?: boolean;
	request(parameters: Params<Fields>): Request;
	/** The answer, checked: what the protocol does not promise is refused here. */
	answer(body: unknown): Answer;
	/** The things that become items, one each. Without it the answer itself is the one thing. */
	items?(answer: Answer, parameters: Params<Fields>): readonly unknown[];
	/** Further requests, which may travel side by side; an empty list ends it. Asked of the last page only. */
	next?(answer: Answer, asked: Asked<Request>): readonly Request[];
	/** Whether a page that was there before is the end of the list. Otherwise it is a failure. */
	endsOnRepeat?(answer: Answer, request: Request): boolean;
	/** What the user can do about a failure. */
	advice?(failure: RequestFailure): string | undefined;
}

/** An operation among others: its own types are known to itself alone. */
export interface AnyOperation<Request> {
	readonly name: string;
	readonly action: string;
	readonly description: string;
	readonly fields: readonly Field[];
	readonly once?: boolean;
	request(parameters: never): Request;
	answer(body: unknown): unknown;
	items?(answer: never, parameters: never): readonly unknown[];
	next?(answer: never, asked: Asked<Request>): readonly Request[];
	endsOnRepeat?(answer: never, request: Request): boolean;
	advice?(failure: RequestFailure): string | undefined;
}

export type Operations<Request> = Readonly<Record<string, AnyOperation<Request>>>;

export interface Resource<Request> {
	readonly name: string;
	readonly operations: Operations<Request>;
}

export type Resources<Request> = Readonly<Record<string, Resource<Request>>>;

/** What a node does: operations by resource, or operations alone. The keys are what workflows store. */
export type Menu<Request> =
	| { readonly resources: Resources<Request> }
	| { readonly operations: Operations<Request> };

/** Types an operation of a protocol; at run time it is the operation itself. */
export function operationOf<Request>() {
	return <const Fields extends readonly Field[], Answer>(
		operation: Operation<Request, Fields, Answer>,
	): Operation<Request, Fields, Answer> => operation;
}
