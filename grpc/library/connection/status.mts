import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { CallError } from '../problem.mts';
import { retryDelay } from './comeBack.mts';
import { parseDetails, formatDetails } from './details.mts';
import { isFromServer } from './origin.mts';

/** Which certificates are trusted is read when the gRPC library is loaded; one variable overrules the other. */
const ROOTS_VARIABLE = process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
	? 'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH'
	: 'NODE_EXTRA_CA_CERTS';

export interface CallInfo {
	readonly path: string;
	/** Whether it asks the service to do something, rather than to describe itself. */
	readonly sent: boolean;
}

/** A status as a problem; anything else as it is. */
export function toCallError({ path, sent }: CallInfo, error: unknown, arrived = 0): unknown {
	if (!isStatus(error)) return error;
	const { code, details: words, metadata } = error;
	if (code === undefined)
		return invalidResponse('The answer is compressed in a way that is not known', sent);
	const byService = isFromServer({ code, metadata });
	if (!byService && words === 'No message received') return noMessage(sent);
	const details = parseDetails(metadata.get('grpc-status-details-bin')[0]);
	return new CallError({
		kind: 'status',
		...{ code, words, byService, path: path.slice(1), sent, arrived },
		after: retryDelay(metadata, details),
		details: formatDetails(details),
		trailers: byService ? formatTrailers(metadata) : undefined,
		roots: ROOTS_VARIABLE,
	});
}

export function noMessage(sent: boolean): CallError {
	return invalidResponse('The service reported success, but gave no answer', sent);
}

function invalidResponse(message: string, sent: boolean): CallError {
	return new CallError({ kind: 'garbled', message, sent });
}

/** What is thrown in the middle of unpacking comes out as a status without a code. */
function isStatus(error: unknown): error is Omit<ServiceError, 'code'> & { code?: number } {
	return error instanceof Error && 'metadata' in error && 'details' in error;
}

/** What is told elsewhere, and what every answer over HTTP has. */
const HIDDEN_TRAILERS: ReadonlySet<string> = new Set([
	'content-length',
	'content-type',
	'date',
	'grpc-status-details-bin',
	'server',
]);

/** Trailers as a person reads them; binary ones in base64, as they travel. */
function formatTrailers(metadata: Metadata): string | undefined {
	const lines = Object.entries(metadata.toJSON())
		.filter(([name]) => !HIDDEN_TRAILERS.has(name))
		.flatMap(([name, values]) => values.map((value) => `${name}: ${formatted(value)}`));
	return lines.length > 0 ? lines.join(', ') : undefined;
}

function formatted(value: string | Buffer): string {
	return typeof value === 'string' ? value : value.toString('base64');
}
