import { RpcFailure } from '../../jsonRpc/calls.mts';
import type { World } from './machine/execution.mts';
import { type Block, findTransaction, type Rollup } from './rollup.mts';
import type { StarkSettings } from './settings.mts';

/** The chain from the view of the node that answers a call. */
export interface View {
	rollup: Rollup;
	settings: StarkSettings;
	/** The number of the latest block that the node has. */
	head: number;
	/** The last block whose events the node has indexed. */
	indexed: number;
}

/** A block that a call has chosen. Undefined stands for the pending block. */
export type Chosen = Block | undefined;

export type BlockId = string | { block_number: number } | { block_hash: string };

export const getLatest = ({ rollup, head }: View): Block => rollup.blocks[head]!;

/** Returns whether the node has all blocks. Only such a node knows the pending block. */
export const isAtHead = ({ rollup, head }: View) => head === rollup.blocks.length - 1;

export function chooseBlock(id: BlockId, view: View): Chosen {
	const { rollup, head } = view;
	if (id === 'latest') return getLatest(view);
	if (id === 'l1_accepted') return rollup.blocks[Math.min(rollup.l1Head, head)];
	if (typeof id === 'string') return undefined;
	const hash = 'block_hash' in id ? BigInt(id.block_hash) : undefined;
	const found =
		'block_number' in id
			? rollup.blocks[id.block_number]
			: rollup.blocks.find((block) => block.hash === hash);
	if (!found || found.number > head) throw new RpcFailure(24, 'Block not found');
	return found;
}

export const getWorld = (chosen: Chosen, view: View): World =>
	chosen?.world ?? (isAtHead(view) ? view.rollup.making.world : getLatest(view).world);

export const getTransactions = (chosen: Chosen, view: View) =>
	chosen?.transactions ?? (isAtHead(view) ? view.rollup.making.transactions : []);

/**
 * Returns a transaction that the node has in a block or in the pending block. It fails for a transaction that was only
 * received.
 */
export function getTransaction(hash: string, view: View) {
	const found = findTransaction(view.rollup, BigInt(hash));
	const isAhead = found && (found.block ? found.block.number > view.head : !isAtHead(view));
	if (!found || isAhead) throw new RpcFailure(29, 'Transaction hash not found');
	return found;
}
