import { fromBinary, toJson } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { isRecord } from '../../../nodes/core';
import { field, defineMessages, repeated, Type } from '../descriptors/handMade.mts';

const text = (name: string, number: number) => field(name, number, Type.STRING);
const pair = (first: string, second: string) => ({ field: [text(first, 1), text(second, 2)] });
const list = (name: string, number: number, type: `.${string}`) =>
	field(name, number, type, repeated);

/** The parts of google.rpc.Status and its details that are used. */
const types = defineMessages({
	Status: { field: [list('details', 3, '.Detail')] },
	Detail: { field: [text('typeUrl', 1), field('value', 2, Type.BYTES)] },
	Pair: pair('key', 'value'),
	ErrorInfo: { field: [text('reason', 1), text('domain', 2), list('metadata', 3, '.Pair')] },
	Violation: pair('field', 'description'),
	BadRequest: { field: [list('violations', 1, '.Violation')] },
	QuotaViolation: pair('subject', 'description'),
	QuotaFailure: { field: [list('violations', 1, '.QuotaViolation')] },
	Precondition: { field: [text('type', 1), text('subject', 2), text('description', 3)] },
	PreconditionFailure: { field: [list('violations', 1, '.Precondition')] },
	Link: pair('description', 'url'),
	Help: { field: [list('links', 1, '.Link')] },
	LocalizedMessage: pair('locale', 'message'),
	Duration: { field: [field('seconds', 1, Type.INT64), field('nanos', 2, Type.INT32)] },
	RetryInfo: { field: [field('delay', 1, '.Duration')] },
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

export interface Detail {
	/** Its name without `google.rpc.` before it. */
	readonly type: string;
	readonly json: Readonly<Record<string, unknown>>;
}

/** The details of a status that can be understood; the others say nothing. */
export function parseDetails(status: unknown): Detail[] {
	if (!(status instanceof Uint8Array)) return [];
	const { details = [] } = (read('Status', status) ?? {}) as {
		details?: ReadonlyArray<{ typeUrl?: string; value?: string }>;
	};
	return details.flatMap(({ typeUrl = '', value = '' }) => {
		const [, type = ''] = /\/google\.rpc\.(\w+)$/.exec(typeUrl) ?? [];
		const json = SHOWN_DETAILS.has(type) && read(type as keyof typeof types, base64Decode(value));
		return json ? [{ type, json }] : [];
	});
}

function read(type: keyof typeof types, bytes: Uint8Array): Detail['json'] | undefined {
	try {
		return toJson(types[type], fromBinary(types[type], bytes)) as Detail['json'];
	} catch {
		return undefined;
	}
}

/** The details as a person reads them: "BadRequest: address: is too short". */
export function formatDetails(details: readonly Detail[]): string | undefined {
	const words = details.map(({ type, json }) => `${type}: ${formatDetail(json)}`).join('; ');
	return words === '' ? undefined : words;
}

/** A pair as "address: is too short"; what is more than a pair, and the entries of lists, one after the other. */
function formatDetail(json: unknown): string {
	if (Array.isArray(json)) return json.map(formatDetail).join(', ');
	if (!isRecord(json)) return String(json);
	if ('seconds' in json || 'nanos' in json) return `${toSeconds(json)} s`;
	const parts = Object.values(json).map(formatDetail);
	return parts.join(parts.length === 2 ? ': ' : ', ');
}

export function toSeconds({ seconds = 0, nanos = 0 }: Readonly<Record<string, unknown>>): number {
	return Number(seconds) + Number(nanos) / 1e9;
}
