import { numberToHex } from '../../../nodes/core/values/numbers';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import type { JsonObject } from '../../../nodes/core/values/json';
import { advanceCursor, type ChainView } from '../../../nodes/core/chain/advance';
import { createCursorAfter, type Cursor, type Emission } from '../../../nodes/core/chain/cursor';
import type { UnsteadyNode } from './unsteadyNode.mts';

/** Reads logs or blocks exactly as the chain node gives them. Nothing proves that the logs are complete. */
function createPlainView(node: UnsteadyNode, emitsRemovals: boolean): ChainView {
	const readBlock = async (number: number) =>
		(await node.call('eth_getBlockByNumber', [numberToHex(number), false])) as JsonObject | null;
	const readBlockRef = async (number: number) => {
		const block = await readBlock(number);
		return block && { number, hash: String(block.hash) };
	};

	async function readLogs(from: number, to: number): Promise<JsonObject[]> {
		const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
		return (await node.call('eth_getLogs', [range])) as JsonObject[];
	}

	async function readBlocks(from: number, to: number): Promise<JsonObject[]> {
		const found: JsonObject[] = [];
		for (let number = from; number <= to; number++) {
			const block = await readBlock(number);
			if (!block) throw new RequestFailure('The node does not have this block yet');
			found.push(block);
		}
		return found;
	}

	return {
		emitsRemovals,
		readBlockRef,
		readEvents: async ({ from, to }) =>
			(await (emitsRemovals ? readLogs : readBlocks)(from, to)).map((json) => ({
				block: {
					number: Number(json.blockNumber ?? json.number),
					hash: String(json.blockHash ?? json.hash),
				},
				json,
			})),
	};
}

/** Replays the emitted events, and takes away the events that were removed again. */
class EmissionLedger {
	readonly emitted: unknown[] = [];
	readonly hashes = new Set<unknown>();
	private readonly numbers = new Set<unknown>();

	add({ json, change: fate }: Emission, emitsRemovals: boolean): void {
		if (fate === 'removed') {
			expect(json).toEqual(this.emitted.pop());
			return;
		}
		if (!emitsRemovals) {
			const isKnown = this.hashes.has(json.hash);
			const expected = this.numbers.has(json.number) ? 'replacing' : 'new';
			expect([isKnown, fate]).toEqual([false, expected]);
		}
		this.hashes.add(json.hash);
		this.numbers.add(json.number);
		this.emitted.push(json);
	}
}

/** Follows a node, and checks after each step that the emitted events equal the events on the chain. */
export class ModelFollower {
	cursor: Cursor;
	private readonly ledger = new EmissionLedger();
	private readonly view: ChainView;

	constructor(
		private readonly node: UnsteadyNode,
		private readonly emitsRemovals: boolean,
	) {
		this.view = createPlainView(node, emitsRemovals);
		this.cursor = createCursorAfter({ number: node.start, hash: node.head.hash });
	}

	async advance(to: number): Promise<void> {
		const before = this.node.changes;
		try {
			const step = await advanceCursor(this.cursor, to, this.view);
			step.emissions.forEach((emissions) => this.ledger.add(emissions, this.emitsRemovals));
			this.cursor = JSON.parse(JSON.stringify(step.cursor)) as Cursor;
			expect(this.cursor).toEqual(step.cursor);
			const reached = this.cursor.next - 1;
			const isSettled = reached === to || this.node.changes === before;
			if (isSettled && Math.max(to, reached) <= this.node.height) this.check(step.emissions);
		} catch (error) {
			// The node lagged behind during the read and failed, so the reader has not moved.
			if (!(error instanceof RequestFailure)) throw error;
		}
	}

	private check(emissions: readonly Emission[]): void {
		const { blocksSinceStart: blocks } = this.node;
		const read = blocks.filter(({ number }) => Number(number) < this.cursor.next);
		if (this.emitsRemovals) {
			const everything = blocks.flatMap((block) => this.node.getLogs(block));
			for (const { json, change } of emissions)
				if (change === 'removed') expect(everything).not.toContainEqual(json);
			expect(this.ledger.emitted).toEqual(read.flatMap((block) => this.node.getLogs(block)));
		} else expect(read.filter(({ hash }) => !this.ledger.hashes.has(hash))).toEqual([]);
		expect(this.cursor.checkpoints.length).toBeLessThanOrEqual(64);
	}
}
