import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { addSetting, closedObject } from '../../http/schemas.mts';
import type { ReceivedFile, Problem } from './form.mts';

export interface StoredPin {
	id: string;
	cid: string;
	bucket_id: string;
	/** The id of the folder. It is empty for a file at the root of the bucket. */
	folder_id: string;
	file_name: string;
	content_type: string;
	size: number;
	created_at: string;
}

interface Pins {
	maxBytes: number;
	stored: StoredPin[];
	/** The files that the gateway serves, by CID, the oldest file first. */
	contents: Map<string, Buffer>;
}

export interface PinState {
	pins: Pins;
}

export const createPins = (): Pins => ({
	maxBytes: 100 * 1024 * 1024,
	stored: [],
	contents: new Map(),
});

interface PinPlace {
	bucket_id?: string | undefined;
	folder_id?: string | undefined;
}

const FOLDERS: Record<string, string[]> = { 'BUCK-1': ['FOLD-1'], 'BUCK-2': ['FOLD-2'] };

/**
 * Returns the problems of a bucket and a folder that a request names. It ignores a missing bucket, which the check of
 * the form reports.
 */
export function findPlaceProblems({ bucket_id, folder_id }: PinPlace): Problem[] {
	if (bucket_id === undefined) return [];
	const known = new Map(Object.entries(FOLDERS)).get(bucket_id);
	if (!known) return [buildNotFound('bucket_id', `There is no bucket "${bucket_id}".`)];
	if (folder_id === undefined || known.includes(folder_id)) return [];
	return [
		buildNotFound('folder_id', `There is no folder "${folder_id}" in bucket "${bucket_id}".`),
	];
}

const buildNotFound = (field: string, message: string): Problem => ({
	code: 'not_found',
	message,
	field,
});

export function findDuplicate(
	{ stored }: Pins,
	{ bucket_id, folder_id = '', cid }: PinPlace & { cid: string },
): Problem | undefined {
	const twin = stored.find(
		(pin) => pin.cid === cid && pin.bucket_id === bucket_id && pin.folder_id === folder_id,
	);
	const message = `The same content is pinned there already, as ${twin?.id}.`;
	return twin && { code: 'duplicate', message, field: 'file' };
}

export function storePin(
	{ stored, contents }: Pins,
	bucket_id: string,
	folder_id = '',
	file: ReceivedFile,
): StoredPin {
	const pin: StoredPin = {
		id: `PIN-${randomInt(1e8, 1e9)}`,
		cid: file.cid,
		bucket_id,
		folder_id,
		file_name: file.name,
		content_type: file.contentType,
		size: file.size,
		created_at: new Date().toISOString(),
	};
	stored.push(pin);
	if (file.bytes) contents.set(file.cid, file.bytes);
	dropOldest(contents);
	return pin;
}

const MAX_CONTENT_BYTES = 64 * 1024 * 1024;

function dropOldest(contents: Pins['contents']): void {
	let held = [...contents.values()].reduce((sum, { length }) => sum + length, 0);
	for (const [cid, { length }] of contents) {
		if (held <= MAX_CONTENT_BYTES) return;
		contents.delete(cid);
		held -= length;
	}
}

const settingsSchema = closedObject({
	maxBytes: { type: 'integer', minimum: 1, default: createPins().maxBytes },
});

export function addPinControl(app: FastifyInstance, state: PinState): void {
	app.get('/pins', async () => state.pins.stored);
	addSetting<{ maxBytes: number }>(app, '/pins', settingsSchema, ({ maxBytes }) => {
		state.pins.maxBytes = maxBytes;
	});
}
