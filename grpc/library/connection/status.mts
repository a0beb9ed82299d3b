import { fromBinary, toJson } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { isRecord, parseRetryAfter } from '../../../nodes/core';
import { CallError } from '../callError.mts';
import { defineMessages, buildField, repeated, Type } from '../descriptors/registry.mts';
import { isFromServer } from './patches.mts';

/** grpc-js reads the trusted certificates when it is loaded; its own variable takes precedence over Node's. */
const ROOTS_VARIABLE = process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
	? 'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH'
	: 'NODE_EXTRA_CA_CERTS';

interface CallInfo {
	readonly path: string;
	/** Whether the call may have had an effect: reflection has none. */
	readonly sent: boolean;
	/** The number of messages that had arrived. */
	readonly received?: number;
}

/** Converts a status of grpc-js to a CallError; returns any other error unchanged. */
export function asCallError(error: unknown, { path, sent, received = 0 }: CallInfo): unknown {
	if (!isStatus(error)) return error;
	const { code, details: message, metadata } = error;
	if (code === undefined) {
		return invalidResponseError('The answer is compressed in a way that is not known', sent);
	}
	const fromServer = isFromServer({ code, metadata });
	if (!fromServer && message === 'No message received') return noMessageError(sent);
	const details = parseDetails(metadata);
	return new CallError({
		kind: 'status',
		code,
		message,
		fromServer,
		path: path.slice(1),
		sent,
		received,
		retryAfterMs: getRetryDelay(metadata, details),
		details: formatDetails(details),
		trailers: fromServer ? formatTrailers(metadata) : undefined,
		rootsVariable: ROOTS_VARIABLE,
	});
}

/** The status is OK, but the message is missing that a unary call must have. */
export function noMessageError(sent: boolean): CallError {
	return invalidResponseError('The service reported success, but gave no answer', sent);
}

function invalidResponseError(message: string, sent: boolean): CallError {
	return new CallError({ kind: 'invalidResponse', message, sent });
}

/** When decompressing throws, grpc-js ends a call without a code. */
function isStatus(error: unknown): error is Omit<ServiceError, 'code'> & { code?: number } {
	return error instanceof Error && 'metadata' in error && 'details' in error;
}

/** Trailers that are shown elsewhere, and those of every HTTP response. */
const HIDDEN_TRAILERS: ReadonlySet<string> = new Set([
	'content-length',
	'content-type',
	'date',
	'grpc-status-details-bin',
	'server',
]);

/** Binary trailers are shown in base64, as they travel. */
function formatTrailers(metadata: Metadata): string | undefined {
	const lines = Object.entries(metadata.toJSON())
		.filter(([name]) => !HIDDEN_TRAILERS.has(name))
		.flatMap(([name, values]) => values.map((value) => `${name}: ${formatTrailer(value)}`));
	return lines.length > 0 ? lines.join(', ') : undefined;
}

function formatTrailer(value: string | Buffer): string {
	return typeof value === 'string' ? value : value.toString('base64');
}

/** Milliseconds: Infinity where the service allows no retry, undefined where it names no time. */
function getRetryDelay(metadata: Metadata, details: readonly Detail[]): number | undefined {
	const [pushback] = metadata.get('grpc-retry-pushback-ms');
	if (pushback !== undefined) return /^\d+$/.test(String(pushback)) ? Number(pushback) : Infinity;
	const delay = details.find(({ type }) => type === 'RetryInfo')?.json.delay;
	const wait = isRecord(delay) ? toSeconds(delay) * 1000 : -1;
	return wait >= 0 ? wait : parseRetryAfter(metadata.get('retry-after')[0]);
}

const textField = (name: string, number: number) => buildField(name, number, Type.STRING);
const pairMessage = (first: string, second: string) => ({
	field: [textField(first, 1), textField(second, 2)],
});
const listField = (name: string, number: number, type: `.${string}`) =>
	buildField(name, number, type, repeated);

/** The fields of google.rpc.Status and its details that are shown. */
const messageTypes = defineMessages({
	Status: { field: [listField('details', 3, '.Detail')] },
	Detail: { field: [textField('typeUrl', 1), buildField('value', 2, Type.BYTES)] },
	Pair: pairMessage('key', 'value'),
	ErrorInfo: {
		field: [textField('reason', 1), textField('domain', 2), listField('metadata', 3, '.Pair')],
	},
	Violation: pairMessage('field', 'description'),
	BadRequest: { field: [listField('violations', 1, '.Violation')] },
	QuotaViolation: pairMessage('subject', 'description'),
	QuotaFailure: { field: [listField('violations', 1, '.QuotaViolation')] },
	Precondition: {
		field: [textField('type', 1), textField('subject', 2), textField('description', 3)],
	},
	PreconditionFailure: { field: [listField('violations', 1, '.Precondition')] },
	Link: pairMessage('description', 'url'),
	Help: { field: [listField('links', 1, '.Link')] },
	LocalizedMessage: pairMessage('locale', 'message'),
	Duration: { field: [buildField('seconds', 1, Type.INT64), buildField('nanos', 2, Type.INT32)] },
	RetryInfo: { field: [buildField('delay', 1, '.Duration')] },
});

const SHOWN_DETAILS: ReadonlySet<string> = new Set([
	'BadRequest',
	'ErrorInfo',
	'Help',
	'LocalizedMessage',
	'PreconditionFailure',
	'QuotaFailure',
	'RetryInfo',
]);

interface Detail {
	/** The type name without `google.rpc.`. */
	readonly type: string;
	readonly json: Readonly<Record<string, unknown>>;
}

/** Decodes the details of known types; invalid ones are left out. */
function parseDetails(metadata: Metadata): Detail[] {
	const [status] = metadata.get('grpc-status-details-bin');
	if (!(status instanceof Uint8Array)) return [];
	const { details = [] } = (tryDecode('Status', status) ?? {}) as {
		details?: ReadonlyArray<{ typeUrl?: string; value?: string }>;
	};
	return details.flatMap(({ typeUrl = '', value = '' }) => {
		const [, type = ''] = /\/google\.rpc\.(\w+)$/.exec(typeUrl) ?? [];
		const json =
			SHOWN_DETAILS.has(type) && tryDecode(type as keyof typeof messageTypes, base64Decode(value));
		return json ? [{ type, json }] : [];
	});
}

function tryDecode(type: keyof typeof messageTypes, bytes: Uint8Array): Detail['json'] | undefined {
	try {
		return toJson(messageTypes[type], fromBinary(messageTypes[type], bytes)) as Detail['json'];
	} catch {
		return undefined;
	}
}

/** Formats details such as "BadRequest: address: is too short". */
function formatDetails(details: readonly Detail[]): string | undefined {
	const words = details.map(({ type, json }) => `${type}: ${formatDetail(json)}`).join('; ');
	return words === '' ? undefined : words;
}

/** Formats a pair as "address: is too short", and lists and larger messages with commas. */
function formatDetail(json: unknown): string {
	if (Array.isArray(json)) return json.map(formatDetail).join(', ');
	if (!isRecord(json)) return String(json);
	if ('seconds' in json || 'nanos' in json) return `${toSeconds(json)} s`;
	const parts = Object.values(json).map(formatDetail);
	return parts.join(parts.length === 2 ? ': ' : ', ');
}

function toSeconds({ seconds = 0, nanos = 0 }: Readonly<Record<string, unknown>>): number {
	return Number(seconds) + Number(nanos) / 1e9;
}
