import { recordWith } from '../core/answers/answer';
import type { RestRequest } from '../core/protocols/rest';
import type { FormFile } from '../core/http/form';

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
