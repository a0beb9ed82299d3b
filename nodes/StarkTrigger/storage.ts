import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { SavedCursor } from '../core/follow/cursor';
import { createCursorStorage } from '../core/trigger/cursorStorage';

/** What is stored from poll to poll. */
export interface SavedPosition extends SavedCursor {
	/** The ids of what was told and whose blocks were replaced: it is not told again. */
	readonly orphaned: readonly string[];
}

const MAX_ORPHANED = 500;

/** The position of the trigger in n8n's static data. Of what was told, only the ids are kept. */
export function createStorage(context: IPollFunctions) {
	const { data, load, save } = createCursorStorage(context);
	return {
		data,
		load: (): SavedPosition | undefined => {
			const saved = load();
			return saved && { ...saved, orphaned: parseIds(data.orphaned) };
		},
		save: ({ orphaned, ...saved }: SavedPosition): void => {
			save({ ...saved, cursor: withoutItems(saved.cursor) });
			data.orphaned = orphaned.slice(-MAX_ORPHANED) as unknown as IDataObject;
		},
	};
}

/** Imported workflows may bring anything. */
function parseIds(given: unknown): string[] {
	return Array.isArray(given) ? given.filter((id) => typeof id === 'string') : [];
}

function withoutItems(cursor: SavedCursor['cursor']): SavedCursor['cursor'] {
	const checkpoints = cursor.checkpoints.map(({ emitted, ...block }) =>
		emitted ? { ...block, emitted: emitted.map(({ id }) => ({ id })) } : block,
	);
	return { ...cursor, checkpoints };
}
