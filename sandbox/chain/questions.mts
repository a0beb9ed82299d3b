import { type RpcError, RpcFailure } from '../wire/envelope.mts';

/** One call. */
export type CallChain = (method: string, params: unknown[]) => Promise<unknown>;

/** Whoever waits for an answer of the chain. */
export interface PendingCall {
	resolve: (result: unknown) => void;
	reject: (error: Error) => void;
}

export interface ChainReply {
	id: number;
	result?: unknown;
	error?: RpcError;
}

export function settleCall(question: PendingCall | undefined, { result, error }: ChainReply): void {
	if (error) question?.reject(new RpcFailure(error.code, error.message, error.data));
	else question?.resolve(result);
}
