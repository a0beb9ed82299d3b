import type { Field } from '../core/operation/field';
import { uploadOptions } from '../core/protocols/transportOptions';
import { rest } from '../core/protocols/rest';
import { jsonText } from '../core/values/json';
import { bucketId, folderId, pinAnswer, pinRequest } from './pin';

const json = {
	displayName: 'JSON',
	name: 'json',
	type: 'json',
	required: true,
	default: '{}',
	description: 'The content of the file',
	read: jsonText,
} as const satisfies Field;

const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	required: true,
	default: 'data.json',
	description: 'The name of the pinned file',
} as const satisfies Field;

export const uploadJson = rest({
	name: 'Upload JSON',
	action: 'Pin JSON to IPFS',
	description: 'Pin JSON as a file. The request is carried out at most once.',
	fields: [bucketId, json, fileName, uploadOptions(folderId)],
	once: true,
	request: ({ bucketId: bucket, json: content, fileName: name, options }) =>
		pinRequest(bucket, options.folderId, { content, fileName: name, type: 'application/json' }),
	answer: pinAnswer,
});
