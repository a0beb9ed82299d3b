/** Problems are plain data: the nodes, which make the user's error of them, are another bundle and share no classes with the library. */
export type Problem = ServiceProblem | InputProblem;

/** A failure of the service, or on the way to it. */
export type ServiceProblem = StatusProblem | ResponseProblem | NoReflection;

/** A call ended with a status that is not OK. */
export interface StatusProblem {
	readonly kind: 'status';
	readonly code: number;
	readonly message: string;
	/** False where grpc-js created the status. */
	readonly fromServer: boolean;
	readonly path: string;
	/** Whether the call may have had an effect: reflection has none. */
	readonly sent: boolean;
	/** The number of messages that had arrived before the failure. */
	readonly received: number;
	/** Milliseconds; Infinity where the service allows no retry. */
	readonly retryAfterMs?: number;
	/** The `google.rpc` details as text. */
	readonly details?: string;
	readonly trailers?: string;
	/** The environment variable that names the trusted certificates. */
	readonly rootsVariable?: string;
}

/** The response of the service is invalid. */
interface ResponseProblem {
	readonly kind: 'invalidResponse';
	readonly message: string;
	readonly description?: string;
	readonly sent: boolean;
}

/** The endpoint has no reflection. */
interface NoReflection {
	readonly kind: 'noReflection';
}

/** The user's input cannot be used; nothing was sent. */
interface InputProblem {
	readonly kind: 'invalidInput';
	readonly message: string;
	readonly description?: string;
}

/** The only error class of the library; the nodes recognize it by its `problem`. */
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
