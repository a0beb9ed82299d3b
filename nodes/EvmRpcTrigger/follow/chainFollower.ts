import type { LiveView } from '../../core/evm/follow/advance';
import { watchedBy } from '../../core/evm/follow/savedState';
import { chainIdOf, headOf, type Ask } from '../../core/evm/header';
import type { Connection } from '../connection/connection';
import type { Around, Follower } from './triggerEvent';
import { followBlocks } from './followBlocks';
import { Progress } from './progress';

/** Emits what a view shows of the chain, and what was missed as soon as the node is back. */
export class ChainFollower implements Follower {
	readonly meanwhile = 'What happens meanwhile is read as soon as the node is back.';
	private readonly progress: Progress;

	constructor(
		private readonly around: Around,
		/** What the user chose; after a change of it the trigger begins anew. */
		choices: ReadonlyArray<string | readonly string[]>,
		private readonly viewOn: (ask: Ask) => LiveView,
	) {
		this.progress = new Progress(around.storage, watchedBy(...choices), around.outbox);
	}

	/** Subscribes first, so that nothing falls between the head and the first announcement. */
	async begin({ ask, subscription }: Connection): Promise<void> {
		await subscription.begin('newHeads');
		const chain = await chainIdOf(ask);
		this.progress.begin(chain, await headOf(ask));
	}

	async follow(connection: Connection, caughtUp: () => void): Promise<void> {
		const view = this.viewOn(connection.ask);
		await followBlocks(connection, view, this.progress, this.around.timing, caughtUp);
	}
}
