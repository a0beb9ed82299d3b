import type { Emission } from '../../../nodes/core/evm/follow/cursor';
import type { Ask } from '../../../nodes/core/evm/header';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { hex } from './scene.mts';

export interface Block {
	readonly number: string;
	readonly hash: string;
	readonly parentHash: string;
	readonly logs: number;
}

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

/** A chain that grows and reorganizes while it is read, and a node that fails now and then. */
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
		this.blocks.push({
			number: hex(this.blocks.length),
			hash: `0x${(++this.made).toString(16).padStart(64, '0')}`,
			parentHash: this.blocks.at(-1)?.hash ?? '0x',
			logs: Math.floor(this.random() * 3),
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

	readonly ask: Ask = async (method, [asked]) => {
		await this.pass();
		this.change();
		await this.pass();
		if (!this.isCalm && this.random() < 0.01) throw new RequestFailure('not now');
		const answer =
			method === 'eth_getLogs' ? this.logs(asked as Record<string, string>) : this.block(asked);
		await this.pass();
		return answer;
	};

	logsOf({ number, hash, logs }: Block): object[] {
		return Array.from({ length: logs }, (_, index) => ({
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

	private block(asked: unknown): Block | null {
		return (asked === 'latest' ? this.head : this.blocks[Number(asked)]) ?? null;
	}

	private logs({ fromBlock, toBlock, blockHash }: Record<string, string>): object[] {
		const found = blockHash
			? this.blocks.filter(({ hash }) => hash === blockHash)
			: this.blocks.slice(Number(fromBlock), Number(toBlock) + 1);
		if (found.length === 0) throw new RequestFailure('unknown block');
		return found.flatMap((block) => this.logsOf(block));
	}

	private async pass(): Promise<void> {
		for (let left = Math.floor(this.random() * 3); left > 0; left--) await Promise.resolve();
		if (this.random() < 0.05) await new Promise((resolve) => setImmediate(resolve));
	}
}

/** What was told, replayed, is what there is: every log once, and taken back from the latest to the first. */
export function expectLogs(emissions: readonly Emission[], chain: UnsteadyChain): void {
	const emitted: unknown[] = [];
	for (const { json, fate } of emissions) {
		if (fate === 'removed') expect(emitted.pop()).toEqual(json);
		else emitted.push(json);
	}
	expect(emitted).toEqual(
		chain.blocks.slice(chain.start + 1).flatMap((block) => chain.logsOf(block)),
	);
}

/** Every block was told, none twice, none left out, and marked when it replaced another one. */
export function expectBlocks(emissions: readonly Emission[], chain: UnsteadyChain): void {
	const emitted = new Map<number, unknown>();
	const hashes = new Set<unknown>();
	for (const { json, fate } of emissions) {
		const number = Number(json.number);
		expect(number).toBeLessThanOrEqual(chain.start + emitted.size + 1);
		expect(fate).toBe(emitted.has(number) ? 'replacing' : 'new');
		expect(hashes.has(json.hash)).toBe(false);
		hashes.add(json.hash);
		emitted.set(number, json.hash);
	}
	const there = chain.blocks.slice(chain.start + 1).map(({ hash }) => hash);
	const last = [...emitted].filter(([number]) => number <= chain.height);
	expect(last.sort(([a], [b]) => a - b).map(([, hash]) => hash)).toEqual(there);
}
