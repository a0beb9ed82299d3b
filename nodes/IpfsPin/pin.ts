import type { FormFile } from '../core/net/http/multipart';
import type { Field } from '../core/operation/field';
import type { RunContext } from '../core/operation/operation';
import { uploadOptions } from '../core/operation/transportOptions';
import { recordParser } from '../core/net/responses/response';
import { restOperation, type RestRequest } from '../core/protocols/rest';
import { CidCheck } from '../core/ipfs/profiles';
import { parseJsonText } from '../core/values/json';

const bucketId = {
	displayName: 'Bucket ID',
	name: 'bucketId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. BUCK-123-456',
	description: 'The ID of the bucket (storage space on the platform) that gets the file',
	hint: "In the platform's console, the details of the bucket (IPFS storage) show the ID",
} as const satisfies Field;

const folderId = {
	displayName: 'Folder ID',
	name: 'folderId',
	type: 'string',
	default: '',
	placeholder: 'e.g. FOLD-123-456',
	description:
		"The ID of the folder in the bucket, from the platform's console. By default, the file goes to the top of the bucket.",
} as const satisfies Field;

const binaryPropertyName = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input binary field that holds the file',
} as const satisfies Field;

const newFileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. report.pdf',
	description: 'The name of the pinned file. By default, the file keeps its own name.',
} as const satisfies Field;

/** Parses a pin. Its CID may be missing while the service is still pinning the file. */
const parsePin = recordParser('a pin', 'id');

export const upload = restOperation({
	name: 'Upload',
	action: 'Upload and pin file to IPFS',
	description:
		'Upload a file to IPFS and keep it there (pin), which uses storage of your plan. The file is streamed, and sent at most once.',
	fields: [bucketId, binaryPropertyName, uploadOptions(newFileName, folderId)],
	atMostOnce: true,
	async *run({ bucketId: bucket, binaryPropertyName: binaryProperty, options }, context) {
		const file = { binaryProperty, fileName: options.fileName };
		yield await pinFile(context, bucket, options.folderId, file);
	},
});

const json = {
	displayName: 'JSON',
	name: 'json',
	type: 'json',
	required: true,
	default: '{}',
	description: 'The JSON that the file contains',
	parse: parseJsonText,
} as const satisfies Field;

const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	required: true,
	default: 'data.json',
	description: 'The name of the pinned file',
} as const satisfies Field;

export const uploadJson = restOperation({
	name: 'Upload JSON',
	action: 'Upload and pin JSON to IPFS',
	description:
		'Upload JSON to IPFS as a file with a name of your choice, and keep the file there (pin it). The pinned file uses storage of your plan. The file is sent at most once.',
	fields: [bucketId, json, fileName, uploadOptions(folderId)],
	atMostOnce: true,
	async *run({ bucketId: bucket, json: content, fileName: name, options }, context) {
		const file = { content, fileName: name, type: 'application/json' };
		yield await pinFile(context, bucket, options.folderId, file);
	},
});

/** Pins a file, and tells whether the CID of the pin matches the bytes that were sent. */
async function pinFile(
	{ call }: RunContext<RestRequest>,
	bucketId: string,
	folderId: string | undefined,
	content: FormFile,
) {
	let check: CidCheck | undefined;
	const watch: FormFile['watch'] = (sent) => {
		const begun = new CidCheck(sent);
		check = begun;
		return (bytes) => begun.update(bytes);
	};
	const file = { ...content, watch };
	const form = { bucket_id: bucketId, folder_id: folderId || undefined, file };
	const pin = parsePin(await call({ path: '/v1/ipfs/pins/pinfile', form }));
	return { ...pin, cidVerified: (await check?.verify(pin.cid)) ?? null };
}
