import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { Refusal } from '../../../credentials/refusal';

/** A file of a form: from a binary field of the input item, or from text. */
export type FormFile =
	| { readonly binaryProperty: string; readonly fileName?: string }
	| { readonly content: string; readonly fileName: string; readonly type: string };

/** The fields of a form; what is undefined is left out. The file comes last, after what says where it goes. */
export type Form = Readonly<Record<string, string | FormFile | undefined>>;

export interface FilePart {
	readonly name: string;
	readonly type: string;
	readonly size: number;
	stream(): AsyncIterable<Uint8Array>;
}

export type FormPart = readonly [string, string | FilePart];

/** Smaller pieces take longer in n8n, whose heap is large; with larger ones the memory grows with the file. */
const CHUNK = 1.5 * 1024 * 1024;

/** The parts of a form. Files are opened, and read when they are sent. */
export async function formParts(
	context: IExecuteFunctions,
	item: number,
	form: Form,
): Promise<readonly FormPart[]> {
	const parts: FormPart[] = [];
	for (const [name, value] of Object.entries(form)) {
		if (typeof value === 'string') parts.push([name, value]);
		else if (value) parts.push([name, await filePart(context, item, value)]);
	}
	return parts;
}

async function filePart(
	context: IExecuteFunctions,
	item: number,
	file: FormFile,
): Promise<FilePart> {
	if ('content' in file) {
		const bytes = Buffer.from(file.content);
		return { name: file.fileName, type: file.type, size: bytes.length, stream: () => once(bytes) };
	}
	const binary = context.helpers.assertBinaryData(item, file.binaryProperty);
	const part = binary.id === undefined ? inMemory(binary) : await stored(context, binary.id);
	if (part.size === 0) throw new Refusal(`The file in '${file.binaryProperty}' is empty`);
	return {
		...part,
		name: cleanName(file.fileName || binary.fileName || 'file'),
		type: /^[\w.+-]+\/[\w.+-]+$/.test(binary.mimeType)
			? binary.mimeType
			: 'application/octet-stream',
	};
}

type Content = Pick<FilePart, 'size' | 'stream'>;

function inMemory({ data }: IBinaryData): Content {
	const bytes = Buffer.from(data, 'base64');
	return { size: bytes.length, stream: () => once(bytes) };
}

/** Read from n8n's storage in pieces, whatever the size of the file. */
async function stored(context: IExecuteFunctions, id: string): Promise<Content> {
	const { fileSize: size } = await context.helpers.getBinaryMetadata(id);
	async function* stream() {
		let sent = 0;
		for await (const chunk of await context.helpers.getBinaryStream(id, CHUNK)) {
			const bytes = chunk as Uint8Array;
			sent += bytes.length;
			if (sent > size) break;
			yield bytes;
		}
		if (sent !== size) throw new Refusal('The stored file does not have the size that n8n reports');
	}
	return { size, stream };
}

async function* once(bytes: Uint8Array) {
	yield bytes;
}

/** Control characters have no place in a header, nor in a name. */
function cleanName(name: string): string {
	return name.replace(/\p{Cc}/gu, '_');
}
