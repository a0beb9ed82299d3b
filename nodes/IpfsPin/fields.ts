import type { Field } from '../core/operation/field';

export const bucketId = {
	displayName: 'Bucket ID',
	name: 'bucketId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. BUCK-123-456',
	description: 'The bucket that the pin is stored in',
} as const satisfies Field;

export const folderId = {
	displayName: 'Folder ID',
	name: 'folderId',
	type: 'string',
	default: '',
	placeholder: 'e.g. FOLD-123-456',
	description: 'The folder of the bucket; without it the pin goes to the root',
} as const satisfies Field;
