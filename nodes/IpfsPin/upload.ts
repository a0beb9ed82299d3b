import type { Field } from '../core/operation/field';
import { uploadOptions } from '../core/protocols/transportOptions';
import { rest } from '../core/protocols/rest';
import { bucketId, folderId, pinAnswer, pinRequest } from './pin';

const binaryPropertyName = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input binary field that holds the file',
} as const satisfies Field;

const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. report.pdf',
	description: 'The name of the pinned file; without it the file keeps its own',
} as const satisfies Field;

export const upload = rest({
	name: 'Upload',
	action: 'Pin a file to IPFS',
	description: 'Pin a file. It streams from storage, and the request is carried out at most once.',
	fields: [bucketId, binaryPropertyName, uploadOptions(fileName, folderId)],
	once: true,
	request: ({ bucketId: bucket, binaryPropertyName: binaryProperty, options }) =>
		pinRequest(bucket, options.folderId, { binaryProperty, fileName: options.fileName }),
	answer: pinAnswer,
});
