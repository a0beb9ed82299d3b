import fc from 'fast-check';
import type { JsonObject } from '../../../nodes/core/values/json';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { EvmChain, numberToHex, withLogs, type Block, type Log } from '../../harness/evmChain.mts';
import { createCall } from './chains.mts';

/** A change of a chain, or of the chain node that serves it. */
export type Change =
	/** The chain gets new blocks, with the given numbers of logs. */
	| { readonly do: 'grow'; readonly blocks: readonly number[] }
	| { readonly do: 'reorganize'; readonly blocks: readonly number[]; readonly depth: number }
	/** The node, or its index of logs, falls behind by the given number of blocks. */
	| { readonly do: 'lag' | 'index'; readonly by: number }
	/** From now on, the node refuses searches in more blocks than these. */
	| { readonly do: 'limit'; readonly blocks: number }
	/** The given number of calls fail. */
	| { readonly do: 'fail'; readonly calls: number };

const numbersOfLogs = (mostBlocks: number) =>
	fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: mostBlocks });

export const anyGrowth = (mostBlocks: number): fc.Arbitrary<Change> =>
	fc.record({ do: fc.constant('grow' as const), blocks: numbersOfLogs(mostBlocks) });

export const anyReorganization: fc.Arbitrary<Change> = fc.record({
	do: fc.constant('reorganize' as const),
	blocks: numbersOfLogs(32),
	depth: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 30 })),
});

export const anyLag: fc.Arbitrary<Change> = fc.record({
	do: fc.constant('lag' as const),
	by: fc.nat(20),
});

const LOG_ADDRESS = `0x${'1'.repeat(40)}`;
const START_BLOCK = 20;
/** A reorganization never replaces more than this many blocks below the highest block so far. */
const MAX_REORG_DEPTH = 30;
/**
 * The index of logs is at most this many blocks behind, because the triggers do not check the logs of older blocks.
 */
const MAX_INDEX_LAG_BLOCKS = 15;

/**
 * A fake chain node that lags, fails, and changes between two answers. Otherwise it answers from its model of a
 * chain.
 */
export class UnsteadyNode {
	readonly start = START_BLOCK;
	/** The chain calls this function with the latest of its new blocks. */
	announce: (block: Block) => void = () => {};
	/** Counts the changes of the node and its chain. */
	changes = 0;
	/** The number of logs in each block, also in blocks that the node does not show yet. */
	private readonly counts: number[] = [];
	private readonly chain = new EvmChain((number) => {
		const logs = Array.from({ length: this.counts[number] ?? 0 }, () => ({ address: LOG_ADDRESS }));
		return logs.length > 0 ? withLogs(...logs) : {};
	});
	private tallest = 0;
	private unseen = 0;
	private unindexed = 0;
	private failing = 0;
	private maxRange = Infinity;
	private answers = 0;
	private meanwhile: { readonly answer: number; readonly change: Change } | undefined;

	constructor() {
		this.change({ do: 'grow', blocks: Array<number>(START_BLOCK + 1).fill(1) });
	}

	/** The latest block that the node shows. */
	get height(): number {
		return this.chain.height;
	}

	get head(): Block {
		return this.chain.buildBlock(this.height);
	}

	/** Lists all blocks after the start of the test. */
	get blocksSinceStart(): readonly Block[] {
		const numbers = Object.keys(this.counts).slice(START_BLOCK + 1);
		return numbers.map((number) => this.chain.buildBlock(Number(number)));
	}

	change(what: Change): void {
		this.changes++;
		if (what.do === 'grow') this.grow(what.blocks);
		if (what.do === 'fail') this.failing = what.calls;
		if (what.do === 'limit') this.maxRange = what.blocks;
		if (what.do === 'lag') this.unseen = what.by;
		if (what.do === 'index') this.unindexed = what.by;
		if (what.do === 'reorganize') {
			const lowest = Math.max(1, this.tallest - MAX_REORG_DEPTH, this.counts.length - what.depth);
			this.counts.length = Math.min(this.counts.length, lowest);
			this.chain.reorganize(this.counts.length);
			this.grow(what.blocks);
		}
		this.unseen = Math.min(this.unseen, this.counts.length - 1);
		this.chain.height = this.counts.length - 1 - this.unseen;
	}

	/** Lets the chain change during a read, before the answer with the given number. */
	changeDuring(meanwhile: { readonly answer: number; readonly change: Change } | undefined): void {
		this.answers = 0;
		this.meanwhile = meanwhile;
	}

	/** Ends failures and lag, but keeps a limit of the node. */
	stabilize(): void {
		this.changeDuring(undefined);
		for (const one of ['lag', 'index'] as const) this.change({ do: one, by: 0 });
		this.change({ do: 'fail', calls: 0 });
	}

	readonly call = createCall(async (method, params) => {
		const [asked] = params as ReadonlyArray<Record<string, string>>;
		await this.pass();
		if (this.failing > 0 && this.failing--) throw new RequestFailure('not now');
		if (method === 'eth_getBlockReceipts') throw new RequestFailure('no such method');
		const answer =
			method === 'eth_getLogs' ? this.searchLogs(asked ?? {}) : this.tell(method, params);
		await this.pass();
		return answer;
	});

	getLogs({ number }: Block): JsonObject[] {
		return this.chain.logsIn(Number(number));
	}

	private grow(logs: readonly number[]): void {
		for (const count of logs) this.counts.push(count);
		this.tallest = Math.max(this.tallest, this.counts.length - 1);
		this.chain.height = this.counts.length - 1 - this.unseen;
		if (logs.length > 0) this.announce(this.head);
	}

	private answered(): void {
		const { meanwhile } = this;
		if (meanwhile?.answer !== this.answers++) return;
		this.meanwhile = undefined;
		this.change(meanwhile.change);
	}

	private tell(method: string, params: readonly unknown[]): unknown {
		this.answered();
		return this.chain.call(method, params);
	}

	/** Reads the logs block by block, because the chain may change between the parts of a long answer. */
	private searchLogs({ fromBlock, toBlock, blockHash }: Record<string, string>): Log[] {
		if (blockHash) return this.tellLogs({ blockHash });
		if (Number(toBlock) - Number(fromBlock) >= this.maxRange) {
			const message = `block range is too large, maximum is ${this.maxRange} blocks`;
			throw { code: -32000, message };
		}
		const found: Log[] = [];
		for (let number = Number(fromBlock); number <= Number(toBlock); number++) {
			const block = numberToHex(number);
			found.push(...this.tellLogs({ fromBlock: block, toBlock: block }));
			if (number > this.height) throw new RequestFailure('unknown block');
		}
		return found;
	}

	private tellLogs(filter: object): Log[] {
		const logs = this.tell('eth_getLogs', [filter]) as Log[];
		const last = Math.max(this.height - this.unindexed, this.tallest - MAX_INDEX_LAG_BLOCKS);
		return logs.filter(({ blockNumber }) => Number(blockNumber) <= last);
	}

	/** Delays an answer, so that simultaneous calls are answered in another order. */
	private async pass(): Promise<void> {
		for (let left = (this.answers * 7) % 3; left > 0; left--) await Promise.resolve();
	}
}
