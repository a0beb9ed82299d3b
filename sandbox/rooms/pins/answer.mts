import { OWNER, PROJECTS } from '../../data/projects.mts';
import type { StoredPin } from './store.mts';

const { creator } = PROJECTS[0]!;

/** A pin with every field of the document. */
export const formatPin = (pin: StoredPin, host: string) => ({
	id: pin.id,
	cid: pin.cid,
	type: 'file',
	title: pin.file_name,
	status: 'pinned',
	size: pin.size,
	item_count: 1,
	created_at: pin.created_at,
	updated_at: pin.created_at,
	bucket_id: pin.bucket_id,
	folder_id: pin.folder_id,
	public_link: `http://${host}/ipfs/${pin.cid}`,
	owner: { id: OWNER.id, name: OWNER.name },
	creator: { id: creator.id, name: `${creator.first_name} ${creator.last_name}` },
});
