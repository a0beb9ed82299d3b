import { ServerInterceptingCall, type ServerInterceptor, status, Metadata } from '@grpc/grpc-js';
import { admitCalls, type LimitState } from '../../http/limits.mts';
import { rawRetryInfo, rawStatus } from './definitions.mts';
import type { GrpcCall, GrpcSettings, GrpcState } from './settings.mts';

type GrpcRefusal = Parameters<ServerInterceptingCall['sendStatus']>[0];

/** Records every call, and lets a call through only if the settings, the token and the rate limit allow it. */
export const createAccessInterceptor =
	(state: GrpcState & LimitState, xToken: string): ServerInterceptor =>
	({ path }, call) => {
		const seen: GrpcCall = { method: path, metadata: {}, code: null };
		const listener = {
			onReceiveMetadata: (metadata: Metadata, next: (metadata: Metadata) => void) => {
				seen.metadata = formatMetadata(metadata);
				state.grpc.calls.push(seen);
				const refusal = findRefusal(seen, state.grpc.settings, xToken) ?? findLimitRefusal(state);
				if (!refusal) return next(metadata);
				seen.code = refusal.code;
				call.sendStatus(refusal);
			},
			onCancel: () => {
				seen.code ??= status.CANCELLED;
			},
		};
		return new ServerInterceptingCall(call, {
			start: (next) => next(listener),
			sendStatus: (ending, next) => {
				seen.code ??= ending.code;
				next(ending);
			},
		});
	};

function findRefusal(
	{ method, metadata }: GrpcCall,
	{ refuse, reflection }: GrpcSettings,
	xToken: string,
): GrpcRefusal | undefined {
	if (refuse !== null) return { code: refuse, details: 'refused on purpose' };
	if (metadata['x-token'] !== xToken) {
		return { code: status.UNAUTHENTICATED, details: 'invalid x-token' };
	}
	const [, service, version] = /^\/(grpc\.reflection\.(\w+)\.\w+)\//.exec(method) ?? [];
	if (!version || reflection.some((served) => served === version)) return undefined;
	return { code: status.UNIMPLEMENTED, details: `unknown service ${service}` };
}

const formatMetadata = (metadata: Metadata) =>
	Object.fromEntries(
		Object.entries(metadata.toJSON()).map(([name, values]) => [name, values.join(', ')]),
	);

/** Returns the refusal of a call that exceeds the rate limit, or undefined for other calls. */
function findLimitRefusal(state: LimitState): GrpcRefusal | undefined {
	const refusal = admitCalls(state, 'grpc', 1);
	if (!refusal) return undefined;
	const { error, waitMs } = refusal;
	const metadata = new Metadata();
	if (state.limits?.settings.retryAfter && waitMs > 0) {
		metadata.set('grpc-status-details-bin', encodeRetryStatus(error.message, waitMs));
	}
	return { code: status.RESOURCE_EXHAUSTED, details: error.message, metadata };
}

/** Encodes a status in the form of Google's services, with the time after which the client may try again. */
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
