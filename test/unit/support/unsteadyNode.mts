import fc from 'fast-check';
import { numberToHex } from '../../../nodes/core/values/numbers';
import type { JsonObject } from '../../../nodes/core/values/json';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { buildBloom } from '../../../nodes/core/evm/follow/bloom';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import type { RpcCaller } from '../../../nodes/core/chain/reader';

interface Block {
	readonly number: string;
	readonly hash: string;
	readonly parentHash: string;
	readonly logsBloom: string;
	readonly gasUsed: string;
	readonly logs: number;
}

/** Changes of a chain, or of the node that is asked about it. */
export type Change =
	/** New blocks, with these numbers of logs. */
	| { readonly do: 'grow'; readonly blocks: readonly number[] }
	| { readonly do: 'reorganize'; readonly blocks: readonly number[]; readonly depth: number }
	/** Answers come from a node that is this many blocks behind, or whose index of logs is. */
	| { readonly do: 'lag' | 'index'; readonly by: number }
	/** From now on a search may span no more blocks than these. */
	| { readonly do: 'limit'; readonly blocks: number }
	/** This many calls fail. */
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
const LOG_BLOOM = `0x${buildBloom([{ address: LOG_ADDRESS }]).toString('hex')}`;
const START_BLOCK = 20;
/** No reorganization goes further below the highest block that has existed. */
const MAX_REORG_DEPTH = 30;
/** No index of logs is further behind the highest block: older blocks are not proven. */
const MAX_INDEX_LAG_BLOCKS = 15;

/** The EVM chain of the unit tests, and a node that is behind, fails and changes between two answers. No hash is repeated. */
export class UnsteadyNode {
	readonly start = START_BLOCK;
	/** Is called with the latest of new blocks. */
	announce: (block: Block) => void = () => {};
	/** How often anything has changed. */
	changes = 0;
	private readonly blocks: Block[] = [];
	private made = 0;
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

	/** The latest block that can be seen. */
	get height(): number {
		return this.blocks.length - 1 - this.unseen;
	}

	get head(): Block {
		return this.blocks[this.height] as Block;
	}

	/** All blocks after the start. */
	get blocksSinceStart(): readonly Block[] {
		return this.blocks.slice(START_BLOCK + 1);
	}

	change(what: Change): void {
		this.changes++;
		if (what.do === 'grow') this.grow(what.blocks);
		if (what.do === 'fail') this.failing = what.calls;
		if (what.do === 'limit') this.maxRange = what.blocks;
		if (what.do === 'lag') this.unseen = what.by;
		if (what.do === 'index') this.unindexed = what.by;
		if (what.do === 'reorganize') {
			const lowest = Math.max(1, this.tallest - MAX_REORG_DEPTH, this.blocks.length - what.depth);
			this.blocks.length = Math.min(this.blocks.length, lowest);
			this.grow(what.blocks);
		}
		this.unseen = Math.min(this.unseen, this.blocks.length - 1);
	}

	/** Changes the chain during a read, before one of the next answers. */
	changeDuring(meanwhile: { readonly answer: number; readonly change: Change } | undefined): void {
		this.answers = 0;
		this.meanwhile = meanwhile;
	}

	/** Ends failures and lag. A limit stays. */
	stabilize(): void {
		this.changeDuring(undefined);
		for (const one of ['lag', 'index'] as const) this.change({ do: one, by: 0 });
		this.change({ do: 'fail', calls: 0 });
	}

	readonly call: RpcCaller['call'] = async (method, params) => {
		const [asked] = params as readonly unknown[];
		await this.pass();
		if (this.failing > 0 && this.failing--) throw new RequestFailure('not now');
		if (method === 'eth_getBlockReceipts') throw new RequestFailure('no such method');
		const answer = this.answer(method, asked);
		await this.pass();
		return answer;
	};

	getLogs({ number, hash, logs }: Block): JsonObject[] {
		return Array.from({ length: logs }, (_, index) => ({
			address: LOG_ADDRESS,
			topics: [],
			logIndex: numberToHex(index),
			blockNumber: number,
			blockHash: hash,
		}));
	}

	private grow(logs: readonly number[]): void {
		for (const count of logs) {
			this.blocks.push({
				number: numberToHex(this.blocks.length),
				hash: `0x${(++this.made).toString(16).padStart(64, '0')}`,
				parentHash: this.blocks.at(-1)?.hash ?? '0x',
				logsBloom: count > 0 ? LOG_BLOOM : `0x${'0'.repeat(512)}`,
				gasUsed: '0x0',
				logs: count,
			});
		}
		this.tallest = Math.max(this.tallest, this.blocks.length - 1);
		if (logs.length > 0) this.announce(this.head);
	}

	private answered(): void {
		const { meanwhile } = this;
		if (meanwhile?.answer !== this.answers++) return;
		this.meanwhile = undefined;
		this.change(meanwhile.change);
	}

	private answer(method: string, asked: unknown): unknown {
		if (method === 'eth_getLogs') return this.logs(asked as Record<string, string>);
		return this.block(asked);
	}

	private block(asked: unknown): Block | null {
		this.answered();
		const number = asked === 'latest' ? this.height : Number(asked);
		return number <= this.height ? (this.blocks[number] ?? null) : null;
	}

	/** Blocks are read one by one, because parts of an answer may come from different moments. */
	private logs({ fromBlock, toBlock, blockHash }: Record<string, string>): JsonObject[] {
		if (blockHash) {
			this.answered();
			const one = this.blocks.find(({ hash }) => hash === blockHash);
			if (!one || Number(one.number) > this.height) throw new RequestFailure('unknown block');
			return this.indexed(one);
		}
		const found: JsonObject[] = [];
		if (Number(toBlock) - Number(fromBlock) >= this.maxRange) {
			const message = `block range is too large, maximum is ${this.maxRange} blocks`;
			throw rpcError('eth_getLogs', { code: -32000, message });
		}
		for (let number = Number(fromBlock); number <= Number(toBlock); number++) {
			this.answered();
			const block = this.blocks[number];
			if (!block || number > this.height) throw new RequestFailure('unknown block');
			found.push(...this.indexed(block));
		}
		return found;
	}

	private indexed(block: Block): JsonObject[] {
		const last = Math.max(this.height - this.unindexed, this.tallest - MAX_INDEX_LAG_BLOCKS);
		return Number(block.number) <= last ? this.getLogs(block) : [];
	}

	/** Answers simultaneous calls in another order. */
	private async pass(): Promise<void> {
		for (let left = (this.answers * 7) % 3; left > 0; left--) await Promise.resolve();
	}
}
