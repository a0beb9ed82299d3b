/**
 * What went wrong, as plain data: the node that tells the user lies in another bundle, and bundles share no classes.
 */
export type Problem =
	/** A call ended with a status. */
	| {
			readonly kind: 'status';
			readonly code: number;
			readonly words: string;
			/** Whether the service said so, and not the gRPC library in its place. */
			readonly byService: boolean;
			readonly path: string;
			/** Whether the service was asked to do something, so that it may have done it. */
			readonly sent: boolean;
			/** How many messages had arrived before. */
			readonly arrived: number;
			/** In how many milliseconds to come back, if the service says so. */
			readonly after?: number;
			/** What the service says beside its words, as google.rpc describes it. */
			readonly details?: string;
			readonly trailers?: string;
			/** The variable that names the certificates that are trusted. */
			readonly roots?: string;
	  }
	/** The user has to ask for something else; nothing was sent. */
	| { readonly kind: 'refused'; readonly message: string; readonly description?: string }
	/** The endpoint answers, but does not describe itself. */
	| { readonly kind: 'noReflection' }
	/** The service sent what cannot be used. */
	| {
			readonly kind: 'garbled';
			readonly message: string;
			readonly description?: string;
			readonly sent: boolean;
	  };

/** What went wrong at the service or on the way there. */
export type ServiceProblem = Exclude<Problem, { kind: 'refused' }>;

export class CallError extends Error {
	constructor(readonly problem: Problem) {
		super(problem.kind);
	}
}

export function fail(problem: Problem): never {
	throw new CallError(problem);
}

export function problemOf(error: unknown): Problem | undefined {
	return error instanceof CallError ? error.problem : undefined;
}

export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
