import { recordWith } from '../core/answers/answer';
import type { Field } from '../core/operation/field';
import type { RestRequest } from '../core/protocols/rest';
import type { FormFile } from '../core/http/form';

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

/** The identifier of the content may come later, when the service is still pinning. */
export const pinAnswer = recordWith('a pin', 'id');

/** A pin is stored once: sent again, it would be there twice or be refused as a duplicate. */
export function pinRequest(
	bucketId: string,
	folderId: string | undefined,
	file: FormFile,
): RestRequest {
	return {
		path: '/v1/ipfs/pins/pinfile',
		form: { bucket_id: bucketId, folder_id: folderId || undefined, file },
	};
}
