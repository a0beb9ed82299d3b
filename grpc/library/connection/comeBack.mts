import type { Metadata } from '@grpc/grpc-js';
import { isRecord, retryAfter } from '../../../nodes/core';
import { toSeconds, type Detail } from './details.mts';

/** In how many milliseconds the service wants to be asked again: Infinity for never, undefined when it says nothing. */
export function retryDelay(metadata: Metadata, details: readonly Detail[]): number | undefined {
	const [pushback] = metadata.get('grpc-retry-pushback-ms');
	if (pushback !== undefined) return /^\d+$/.test(String(pushback)) ? Number(pushback) : Infinity;
	const delay = details.find(({ type }) => type === 'RetryInfo')?.json.delay;
	const wait = isRecord(delay) ? toSeconds(delay) * 1000 : -1;
	return wait >= 0 ? wait : retryAfter(metadata.get('retry-after')[0]);
}
