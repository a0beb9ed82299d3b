import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { SavedCursor } from '../core/chain/cursor';
import { createCursorStorage } from '../core/trigger/cursorStorage';

/** The state that is stored from poll to poll. */
interface SavedPosition extends SavedCursor {
	/** The ids of emitted events whose blocks were replaced: they are not emitted again. */
	readonly orphaned: readonly string[];
}

const MAX_ORPHANED = 500;

/** The position of the trigger in n8n's static data, with the ids of emitted events in place of their items. */
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
