import { Metadata, type ServerInterceptingCall, status } from '@grpc/grpc-js';
import type { SandboxState } from '../../state.mts';
import { admitCalls } from '../../wire/limits.mts';
import { rawRetryInfo, rawStatus } from './definitions.mts';

export type GrpcRefusal = Parameters<ServerInterceptingCall['sendStatus']>[0];

/** The refusal of a call that is one too many; undefined for the others. */
export function findLimitRefusal(state: SandboxState): GrpcRefusal | undefined {
	const refusal = admitCalls(state, 'grpc', 1);
	if (!refusal) return undefined;
	const { error, waitMs } = refusal;
	const metadata = new Metadata();
	if (state.limits?.settings.retryAfter && waitMs > 0) {
		metadata.set('grpc-status-details-bin', encodeRetryStatus(error.message, waitMs));
	}
	return { code: status.RESOURCE_EXHAUSTED, details: error.message, metadata };
}

/** A status as Google's services detail it, with the time after which to come back. */
function encodeRetryStatus(message: string, waitMs: number): Buffer {
	const nanos = Math.ceil((waitMs % 1000) * 1e6);
	const delay = { seconds: String(Math.floor(waitMs / 1000)), nanos: Math.min(nanos, 999_999_999) };
	const value = rawRetryInfo.serialize({ retryDelay: delay });
	const typeUrl = 'type.googleapis.com/google.rpc.RetryInfo';
	return rawStatus.serialize({
		code: status.RESOURCE_EXHAUSTED,
		message,
		details: [{ typeUrl, value }],
	});
}
