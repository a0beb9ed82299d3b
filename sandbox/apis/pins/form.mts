import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/** An entry of the error list in the answer `{"errors": […]}`. */
export interface Problem {
	code: string;
	message: string;
	field: string | null;
}

export class PinRefusal extends Error {
	readonly statusCode: number;
	readonly problems: Problem[];

	constructor(statusCode: number, problems: Problem[]) {
		super(problems.map(({ message }) => message).join(' '));
		this.statusCode = statusCode;
		this.problems = problems;
	}
}

const FILE_TOO_LARGE = 'file_too_large';

export const pinRefusedError = (problems: Problem[]) =>
	new PinRefusal(problems.some(({ code }) => code === FILE_TOO_LARGE) ? 413 : 400, problems);

interface ImportedFile {
	cid: string;
	size: number;
	/** The content of the file. It is null for a file above `MAX_KEPT_BYTES`, of which only the CID is known. */
	bytes: Buffer | null;
}

export interface ReceivedFile extends ImportedFile {
	name: string;
	contentType: string;
}

interface PinForm {
	bucket_id?: string;
	folder_id?: string;
	file?: ReceivedFile;
	problems: Problem[];
}

const TEXT_FIELDS = ['bucket_id', 'folder_id'] as const;

/** Reads the whole form, even if it is wrong. A client whose upload is cut off would not see the answer. */
export async function parseForm(request: FastifyRequest, maxBytes: number): Promise<PinForm> {
	const form: PinForm = { problems: [] };
	const seen = new Set<string>();
	for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
		const problem = findPartProblem(part, seen);
		seen.add(part.fieldname);
		if (problem) form.problems.push({ ...problem, field: part.fieldname });
		else if (part.type === 'file') await importPart(part, form, maxBytes);
		else form[part.fieldname as (typeof TEXT_FIELDS)[number]] = String(part.value);
		if (part.type === 'file') part.file.resume();
	}
	for (const field of ['bucket_id', 'file']) {
		if (seen.has(field)) continue;
		form.problems.push({ code: 'required', message: 'This field is required.', field });
	}
	return form;
}

function findPartProblem(part: Multipart, seen: Set<string>): Omit<Problem, 'field'> | undefined {
	const isText = TEXT_FIELDS.some((name) => name === part.fieldname);
	if (!isText && part.fieldname !== 'file') {
		return { code: 'unknown_field', message: 'Unknown field.' };
	}
	if (seen.has(part.fieldname)) {
		return { code: 'repeated_field', message: 'This field may be given once only.' };
	}
	if (isText && (part.type === 'file' || typeof part.value !== 'string')) {
		return { code: 'invalid', message: 'This field must be text.' };
	}
	if (!isText && (part.type === 'field' || !part.filename)) {
		return { code: 'invalid', message: 'This field must be a file with a file name.' };
	}
	return undefined;
}

async function importPart(part: MultipartFile, form: PinForm, maxBytes: number): Promise<void> {
	const file = await importStream(part.file);
	const refusal = (code: string, message: string) =>
		form.problems.push({ code, message, field: part.fieldname });
	if (part.file.truncated) refusal(FILE_TOO_LARGE, `The file is larger than ${maxBytes} bytes.`);
	else if (file.size === 0) refusal('empty', 'The file is empty.');
	else form.file = { ...file, name: part.filename, contentType: part.mimetype };
}

const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** The options of the IPFS importer. Its defaults set the rest: chunks of 262,144 bytes, and 174 links to a node. */
export const IMPORT_OPTIONS = { cidVersion: 1, rawLeaves: true, blockWriteConcurrency: 1 } as const;

/** Computes the CID of a stream. The memory holds at most `MAX_KEPT_BYTES` and one chunk. */
async function importStream(source: AsyncIterable<Uint8Array>): Promise<ImportedFile> {
	const [{ importFile }, { BlackHoleBlockstore }] = await Promise.all([
		import('ipfs-unixfs-importer'),
		import('blockstore-core/black-hole'),
	]);
	let size = 0;
	let kept: Uint8Array[] = [];
	async function* watched() {
		for await (const chunk of source) {
			size += chunk.length;
			if (size > MAX_KEPT_BYTES) kept = [];
			else kept.push(chunk);
			yield chunk;
		}
	}
	const { cid } = await importFile(
		{ content: watched() },
		new BlackHoleBlockstore(),
		IMPORT_OPTIONS,
	);
	return { cid: cid.toString(), size, bytes: size > MAX_KEPT_BYTES ? null : Buffer.concat(kept) };
}
