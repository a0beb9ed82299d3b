import { Metadata, type ServiceError } from '@grpc/grpc-js';
import { comeBackAfter } from './comeBack.mts';
import { Trouble } from './problem.mts';

/** The statuses that came from the service, by what came with them: the gRPC library makes others, in similar words. */
const given = new WeakMap<Metadata, unknown>();
const { fromHttp2Headers } = Metadata;
Metadata.fromHttp2Headers = (headers) => {
	const metadata = fromHttp2Headers(headers);
	given.set(metadata, headers['grpc-status']);
	return metadata;
};

export interface Attempt {
	readonly path: string;
	/** Whether it asks the service to do something, rather than to describe itself. */
	readonly sent: boolean;
}

/** A status as a problem; anything else as it is. */
export function failed({ path, sent }: Attempt, error: unknown, arrived = 0): unknown {
	if (!isStatus(error)) return error;
	const { code, details: words, metadata } = error;
	const byService = Object.is(Number(given.get(metadata)), code);
	if (code === undefined) return garbled('The answer is packed in a way that is not known', sent);
	if (!byService && words === 'No message received') {
		return garbled('The service ended the call well, but gave no answer', sent);
	}
	return new Trouble({
		kind: 'status',
		...{ code, words, byService, path: path.slice(1), sent, arrived },
		after: comeBackAfter(metadata),
	});
}

function garbled(message: string, sent: boolean): Trouble {
	return new Trouble({ kind: 'garbled', message, sent });
}

/** What is thrown in the middle of unpacking comes out as a status without a code. */
function isStatus(error: unknown): error is Omit<ServiceError, 'code'> & { code?: number } {
	return error instanceof Error && 'metadata' in error && 'details' in error;
}
