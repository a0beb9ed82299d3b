import { type RpcError, RpcFailure } from '../wire/envelope.mts';

/** One call. */
export type Ask = (method: string, params: unknown[]) => Promise<unknown>;

/** Whoever waits for an answer of the chain. */
export interface Question {
	resolve: (result: unknown) => void;
	reject: (error: Error) => void;
}

export interface Answer {
	id: number;
	result?: unknown;
	error?: RpcError;
}

export function settle(question: Question | undefined, { result, error }: Answer): void {
	if (error) question?.reject(new RpcFailure(error.code, error.message, error.data));
	else question?.resolve(result);
}
