import type { FollowedChain } from '../../../nodes/core/chain/follow';
import { followChain } from '../../../nodes/core/evm/follow/follow';
import { followEvents } from '../../../nodes/core/stark/follow';
import { followAccounts } from '../../../nodes/core/ton/follow';
import { createShared } from '../../../nodes/core/net/pacing/shared';
import { followBlocks } from '../../../nodes/core/witness/follow';

/** A reader that fails, because these tests read nothing from a chain. */
const READER = {
	call: async () => await Promise.reject(new Error('nothing is read')),
	shared: createShared(),
};
const VIEW = {
	emitsRemovals: true,
	readBlockRef: READER.call,
	readEvents: READER.call,
};

type Rewrite = (data: object) => unknown;

/**
 * Creates a function that reads a stored position, and stores it again. It returns undefined if the data is no
 * position.
 */
function rewriter<Position>({ storage }: FollowedChain<Position>): Rewrite {
	return (data) => {
		const saved = storage.parse(JSON.parse(JSON.stringify(data)) as Record<string, unknown>);
		return saved && (JSON.parse(JSON.stringify(storage.format(saved))) as unknown);
	};
}

const evm = rewriter(
	followChain(READER, { view: VIEW, confirmations: 0, doubtedBlocks: new Set() }),
);
const witness = rewriter(followBlocks(READER, { findItems: () => [] }));
const stark = rewriter(followEvents(READER, { find: READER.call }, 'acceptedOnL2'));
const ton = rewriter(followAccounts(READER, []));

const chain = { id: '1', first: '0xaa' };
const cursor = {
	checkpoints: [
		{ number: 4, hash: '0x4', emitted: [{ id: 'a', item: { amount: '1' } }] },
		{ number: 5, hash: '0x5' },
	],
	floor: 4,
	next: 6,
	highest: 5,
	reorgs: 1,
};
const proofs = { blooms: 'mixed', unproven: { from: 6, to: 7 } };
const cursors = {
	[`0:${'a'.repeat(64)}`]: { lt: '18446744073709551615', hash: 'ab'.repeat(32), time: 1 },
	[`0:${'b'.repeat(64)}`]: { lt: '0', hash: null, time: 0 },
};

test.each<[string, Rewrite, object]>([
	['an EVM chain', evm, { saved: { chain, watched: 'x', cursor: { ...cursor, proofs } } }],
	['the witness chain', witness, { saved: { chain, watched: 'x', cursor } }],
	['accounts on TON', ton, { saved: { watched: 'x', cursors } }],
])('a position on %s is read, and stored as it was', (_, rewrite, data) => {
	expect(rewrite(data)).toEqual(data);
});

test('one on a STARK chain has the ids of what was emitted, and the latest of those that were replaced', () => {
	const orphaned = Array.from({ length: 501 }, (_, id) => String(id));
	const checkpoints = [{ number: 4, hash: '0x4', emitted: [{ id: 'a' }] }, cursor.checkpoints[1]];
	const saved = { chain, watched: 'x', cursor: { ...cursor, checkpoints } };
	const stored = { saved, orphaned: orphaned.slice(1) };
	expect(stark(stored)).toEqual(stored);
	expect(stark({ saved: { ...saved, cursor }, orphaned })).toEqual(stored);
	expect(stark({ saved, orphaned: { 0: 'x' } })).toEqual({ saved, orphaned: [] });
});

test.each<[string, Rewrite, object]>([
	['accounts', evm, { saved: { watched: 'x', cursors } }],
	['accounts', stark, { saved: { watched: 'x', cursors } }],
	['blocks', ton, { saved: { chain, watched: 'x', cursor } }],
	['accounts without what was watched', ton, { saved: { cursors } }],
	['nothing', ton, {}],
	['nothing', witness, {}],
])('a position that is one of %s is none', (_, rewrite, data) => {
	expect(rewrite(data)).toBeUndefined();
});
