import {
	type Metadata,
	ServerInterceptingCall,
	type ServerInterceptor,
	status,
} from '@grpc/grpc-js';
import type { SandboxState } from '../../state.mts';
import { findLimitRefusal, type GrpcRefusal } from './limit.mts';
import type { GrpcCall, GrpcSettings } from './state.mts';

/** Records every call, and lets those through that the settings, the token and the limit allow. */
export const createAccessInterceptor =
	(state: SandboxState, xToken: string): ServerInterceptor =>
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
