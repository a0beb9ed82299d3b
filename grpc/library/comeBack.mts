import { fromBinary, toJson } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import type { Metadata } from '@grpc/grpc-js';
import { retryAfter } from '../../nodes/core/pacing/retry';
import { field, messagesOf, repeated, Type } from './handMade.mts';

/** The part of google.rpc.Status, and of its detail google.rpc.RetryInfo, that is used. */
const { Status, RetryInfo } = messagesOf({
	Status: { field: [field('details', 3, '.Detail', repeated)] },
	Detail: { field: [field('typeUrl', 1, Type.STRING), field('value', 2, Type.BYTES)] },
	RetryInfo: { field: [field('delay', 1, '.Duration')] },
	Duration: { field: [field('seconds', 1, Type.INT64), field('nanos', 2, Type.INT32)] },
});

/** In how many milliseconds the service wants to be asked again: Infinity for never, undefined when it says nothing. */
export function comeBackAfter(metadata: Metadata): number | undefined {
	const [pushback] = metadata.get('grpc-retry-pushback-ms');
	if (pushback !== undefined) return /^\d+$/.test(String(pushback)) ? Number(pushback) : Infinity;
	const [status] = metadata.get('grpc-status-details-bin');
	return delayIn(status) ?? retryAfter(metadata.get('retry-after')[0]);
}

function delayIn(status: unknown): number | undefined {
	if (!(status instanceof Uint8Array)) return undefined;
	try {
		const { details = [] } = toJson(Status, fromBinary(Status, status)) as Details;
		const found = details.find(({ typeUrl }) => typeUrl?.endsWith('/google.rpc.RetryInfo'));
		const value = base64Decode(found?.value ?? '');
		const { delay } = toJson(RetryInfo, fromBinary(RetryInfo, value)) as Delay;
		return delay && Number(delay.seconds ?? 0) * 1000 + (delay.nanos ?? 0) / 1e6;
	} catch {
		// What cannot be understood says nothing.
		return undefined;
	}
}

interface Details {
	readonly details?: ReadonlyArray<{ readonly typeUrl?: string; readonly value?: string }>;
}

interface Delay {
	readonly delay?: { readonly seconds?: string; readonly nanos?: number };
}
