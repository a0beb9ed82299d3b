/** Plain data: the bundle of the nodes, which make the user's error of it, shares no classes with the library's. */
export type Problem = ServiceProblem | InputProblem;

/** What went wrong at the service, or on the way there. */
export type ServiceProblem = StatusProblem | ResponseProblem | NoReflection;

/** A call ended with a status that is not OK. */
export interface StatusProblem {
	readonly kind: 'status';
	readonly code: number;
	readonly message: string;
	/** False where grpc-js made the status. */
	readonly fromServer: boolean;
	readonly path: string;
	/** Whether the call may have had an effect: reflection has none. */
	readonly sent: boolean;
	/** How many messages had arrived before. */
	readonly received: number;
	/** In milliseconds; Infinity for never. */
	readonly retryAfterMs?: number;
	/** The `google.rpc` details, in words. */
	readonly details?: string;
	readonly trailers?: string;
	/** The environment variable that names the trusted certificates. */
	readonly rootsVariable?: string;
}

/** The service sent what cannot be used. */
interface ResponseProblem {
	readonly kind: 'invalidResponse';
	readonly message: string;
	readonly description?: string;
	readonly sent: boolean;
}

/** The endpoint serves no reflection. */
interface NoReflection {
	readonly kind: 'noReflection';
}

/** What the user gave cannot be used; nothing was sent. */
interface InputProblem {
	readonly kind: 'invalidInput';
	readonly message: string;
	readonly description?: string;
}

/** The only error of the library that the nodes know, by its `problem`. */
export class CallError extends Error {
	constructor(readonly problem: Problem) {
		super(problem.kind);
	}
}

export function throwInvalidInput(message: string, description?: string): never {
	throw new CallError({ kind: 'invalidInput', message, description });
}

export function getProblem(error: unknown): Problem | undefined {
	return error instanceof CallError ? error.problem : undefined;
}

export function hasStatus(error: unknown, code: number): boolean {
	const problem = getProblem(error);
	return problem?.kind === 'status' && problem.code === code;
}

export function getMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
