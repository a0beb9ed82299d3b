import type { Field } from '../core/operation/field';

export const bucketId = {
	displayName: 'Bucket ID',
	name: 'bucketId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. BUCK-123-456',
	description: 'The bucket that the pin is stored in',
	hint: 'In the console, open the bucket in the IPFS storage: its details show the ID',
} as const satisfies Field;

export const folderId = {
	displayName: 'Folder ID',
	name: 'folderId',
	type: 'string',
	default: '',
	placeholder: 'e.g. FOLD-123-456',
	description:
		'The folder in the bucket; without it the pin goes to the root. The console shows the ID in the details of the folder.',
} as const satisfies Field;
