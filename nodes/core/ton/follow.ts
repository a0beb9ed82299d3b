import type { FollowedChain } from '../chain/follow';
import type { RestReader } from '../chain/reader';
import { checkNotFuture } from '../chain/startAt';
import { isRecord } from '../values/parse';
import {
	findLatestEvent,
	formatCursors,
	parseCursors,
	readCursorsBefore,
	readNewsOfAccounts,
	readPresentCursors,
	readServiceBlock,
	throwIfServiceLags,
	type AccountCursors,
	type FollowedAccount,
} from './accountNews';

interface AccountPositions {
	readonly cursors: AccountCursors;
}

/**
 * Follows several accounts for a trigger. One poll reads all of them. The accounts are read by their transactions,
 * not by blocks.
 */
export function followAccounts(
	reader: RestReader,
	accounts: readonly FollowedAccount[],
): FollowedChain<AccountPositions> {
	return {
		storage: {
			parse: ({ saved }) => {
				const cursors = isRecord(saved) ? parseCursors(saved.cursors) : undefined;
				return isRecord(saved) && typeof saved.watched === 'string' && cursors
					? { watched: saved.watched, cursors }
					: undefined;
			},
			format: ({ watched, cursors }) => ({ saved: { watched, cursors: formatCursors(cursors) } }),
		},
		formatPlace: () => 'the latest transactions',
		readPresent: async () =>
			await Promise.resolve({
				// Returns true, because a change of the chain is noticed for each account when it is read.
				isSameChain: () => true,
				begin: async () => ({ cursors: await readPresentCursors(reader, accounts) }),
				beginAt: async (start) => {
					const moment = 'moment' in start ? start.moment : 0;
					checkNotFuture(moment, await readServiceBlock(reader));
					return { cursors: await readCursorsBefore(reader, accounts, moment) };
				},
				async *readOn({ cursors: before }, { deadline }) {
					const news = await readNewsOfAccounts(reader, accounts, before, deadline);
					const { cursors, events, failure, hasRestarted: isOtherChain } = news;
					const items = events.map(({ json }) => json);
					yield { position: { cursors }, items, blocks: 0, failure, isOtherChain };
				},
				throwIfLate: async (_, failure) => {
					if (failure !== undefined) throw failure;
					await throwIfServiceLags(reader);
				},
			}),
		async *searchBack({ deadline }) {
			const latest = await findLatestEvent(reader, accounts, deadline);
			yield { items: latest ? [latest.json] : [], blocks: 0 };
		},
	};
}
