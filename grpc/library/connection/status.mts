import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { Trouble } from '../problem.mts';
import { comeBackAfter } from './comeBack.mts';
import { detailsIn, wordsOfDetails } from './details.mts';
import { isByServer } from './origin.mts';

/** Which certificates are trusted is read when the gRPC library is loaded; one variable overrules the other. */
const ROOTS = process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
	? 'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH'
	: 'NODE_EXTRA_CA_CERTS';

export interface Attempt {
	readonly path: string;
	/** Whether it asks the service to do something, rather than to describe itself. */
	readonly sent: boolean;
}

/** A status as a problem; anything else as it is. */
export function failed({ path, sent }: Attempt, error: unknown, arrived = 0): unknown {
	if (!isStatus(error)) return error;
	const { code, details: words, metadata } = error;
	if (code === undefined)
		return garbled('The answer is compressed in a way that is not known', sent);
	const byService = isByServer({ code, metadata });
	if (!byService && words === 'No message received') return noAnswer(sent);
	const details = detailsIn(metadata.get('grpc-status-details-bin')[0]);
	return new Trouble({
		kind: 'status',
		...{ code, words, byService, path: path.slice(1), sent, arrived },
		after: comeBackAfter(metadata, details),
		details: wordsOfDetails(details),
		trailers: byService ? wordsOf(metadata) : undefined,
		roots: ROOTS,
	});
}

export function noAnswer(sent: boolean): Trouble {
	return garbled('The service reported success, but gave no answer', sent);
}

function garbled(message: string, sent: boolean): Trouble {
	return new Trouble({ kind: 'garbled', message, sent });
}

/** What is thrown in the middle of unpacking comes out as a status without a code. */
function isStatus(error: unknown): error is Omit<ServiceError, 'code'> & { code?: number } {
	return error instanceof Error && 'metadata' in error && 'details' in error;
}

/** What is told elsewhere, and what every answer over HTTP has. */
const UNTOLD: ReadonlySet<string> = new Set([
	'content-length',
	'content-type',
	'date',
	'grpc-status-details-bin',
	'server',
]);

/** Trailers as a person reads them; binary ones in base64, as they travel. */
function wordsOf(metadata: Metadata): string | undefined {
	const lines = Object.entries(metadata.toJSON())
		.filter(([name]) => !UNTOLD.has(name))
		.flatMap(([name, values]) => values.map((value) => `${name}: ${spelt(value)}`));
	return lines.length > 0 ? lines.join(', ') : undefined;
}

function spelt(value: string | Buffer): string {
	return typeof value === 'string' ? value : value.toString('base64');
}
