import type { ChainObject } from '../../../../nodes/core/chain/objects';
import { blockView, logView } from '../../../../nodes/core/follow/views';
import type { Caller, ChainReader } from '../../../../nodes/core/rpc/chain';
import { bloomOf } from '../../../../nodes/core/follow/bloom';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { hex } from '../../../harness/fakeNode.mts';

export interface Block {
	readonly number: string;
	readonly hash: string;
	readonly parentHash: string;
	readonly logsBloom: string;
	readonly gasUsed: string;
	readonly logs: number;
}

const ADDRESS = `0x${'1'.repeat(40)}`;
const BLOOM = `0x${bloomOf([{ address: ADDRESS }]).toString('hex')}`;

/** No reorganization reaches below so many blocks. */
const DEEPEST = 6;

/** Always the same numbers between 0 and 1 for a seed. */
export function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		state = (state ^ (state >>> 13)) >>> 0;
		return state / 2 ** 32;
	};
}

/** A chain that grows and reorganizes while it is read, and a node that fails, or has not indexed the latest blocks, now and then. */
export class UnsteadyChain {
	readonly blocks: Block[] = [];
	readonly start: number;
	/** Called with each new block. */
	announce: (block: Block) => void = () => {};
	private isCalm = false;
	private made = 0;

	constructor(
		readonly random: () => number,
		private readonly restlessness: number,
	) {
		for (let left = 20; left > 0; left--) this.mine();
		this.start = this.height;
	}

	get head(): Block {
		return this.blocks.at(-1) as Block;
	}

	get height(): number {
		return this.blocks.length - 1;
	}

	mine(): void {
		const logs = Math.floor(this.random() * 3);
		this.blocks.push({
			number: hex(this.blocks.length),
			hash: `0x${(++this.made).toString(16).padStart(64, '0')}`,
			parentHash: this.blocks.at(-1)?.hash ?? '0x',
			logsBloom: logs > 0 ? BLOOM : `0x${'0'.repeat(512)}`,
			gasUsed: '0x0',
			logs,
		});
		this.announce(this.head);
	}

	/** From now on nothing changes, and nothing fails. */
	calm(): void {
		this.isCalm = true;
		this.mine();
	}

	readonly change = (): void => {
		if (this.isCalm || this.random() > this.restlessness) return;
		const what = this.random();
		if (what < 0.45) this.mine();
		else if (what < 0.46) this.grow(130);
		else if (this.height > this.start + DEEPEST) this.reorganize();
	};

	readonly call: Caller['call'] = async (method, params) => {
		const [asked] = params as readonly unknown[];
		await this.pass();
		this.change();
		await this.pass();
		if (!this.isCalm && this.random() < 0.01) throw new RequestFailure('not now');
		const answer = this.answer(method, asked);
		await this.pass();
		return answer;
	};

	logsOf({ number, hash, logs }: Block): object[] {
		return Array.from({ length: logs }, (_, index) => ({
			address: ADDRESS,
			topics: [],
			blockNumber: number,
			blockHash: hash,
			logIndex: hex(index),
		}));
	}

	private grow(blocks: number): void {
		for (let left = blocks; left > 0; left--) this.mine();
	}

	private reorganize(): void {
		const depth = 1 + Math.floor(this.random() * DEEPEST);
		this.blocks.length -= depth;
		this.grow(depth + Math.floor(this.random() * 3) - (this.random() < 0.2 ? 1 : 0));
	}

	private answer(method: string, asked: unknown): unknown {
		if (method === 'eth_getBlockReceipts') throw new RequestFailure('no such method');
		return method === 'eth_getLogs'
			? this.logs(asked as Record<string, string>)
			: this.block(asked);
	}

	private block(asked: unknown): Block | null {
		return (asked === 'latest' ? this.head : this.blocks[Number(asked)]) ?? null;
	}

	private logs({ fromBlock, toBlock, blockHash }: Record<string, string>): object[] {
		const found = blockHash
			? this.blocks.filter(({ hash }) => hash === blockHash)
			: this.blocks.slice(Number(fromBlock), Number(toBlock) + 1);
		if (found.length === 0) throw new RequestFailure('unknown block');
		const isLate = !this.isCalm && this.random() < 0.15;
		const indexed = this.height - (isLate ? Math.floor(this.random() * 4) : 0);
		return found
			.filter(({ number }) => Number(number) <= indexed)
			.flatMap((one) => this.logsOf(one));
	}

	private async pass(): Promise<void> {
		for (let left = Math.floor(this.random() * 3); left > 0; left--) await Promise.resolve();
		if (this.random() < 0.05) await new Promise((resolve) => setImmediate(resolve));
	}
}

/** What was emitted, replayed, is what there is: every log once, and taken back from the latest to the first. */
export function expectLogs(items: readonly ChainObject[], chain: UnsteadyChain): void {
	const emitted: unknown[] = [];
	for (const { removed, ...log } of items) {
		if (removed) expect(emitted.pop()).toEqual(log);
		else emitted.push(log);
	}
	expect(emitted).toEqual(
		chain.blocks.slice(chain.start + 1).flatMap((block) => chain.logsOf(block)),
	);
}

/** Every block was emitted, none twice, none left out, and marked when it replaced another one. */
export function expectBlocks(items: readonly ChainObject[], chain: UnsteadyChain): void {
	const emitted = new Map<number, unknown>();
	const hashes = new Set<unknown>();
	for (const { number: height, hash, reorganized } of items) {
		const number = Number(height);
		expect(number).toBeLessThanOrEqual(chain.start + emitted.size + 1);
		expect(reorganized).toBe(emitted.has(number));
		expect(hashes.has(hash)).toBe(false);
		hashes.add(hash);
		emitted.set(number, hash);
	}
	const there = chain.blocks.slice(chain.start + 1).map(({ hash }) => hash);
	const last = [...emitted].filter(([number]) => number <= chain.height);
	expect(last.sort(([a], [b]) => a - b).map(([, hash]) => hash)).toEqual(there);
}

/** Every log of the chain, and every block, as it is. */
export const everyLog = (chain: ChainReader) =>
	logView(chain, {
		filters: [{ addresses: [], topics: [] }],
		form: async (logs) => await Promise.resolve(logs.map((log) => [log])),
		isTimed: false,
		doubt: () => {},
	});
export const everyBlock = (chain: ChainReader) => blockView(chain, (block) => block);
