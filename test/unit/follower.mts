import { advance } from '../../nodes/core/chain/follow';
import { startAt, type News, type Place, type Position } from '../../nodes/core/chain/position';
import { RequestFailure } from '../../nodes/core/failure';
import type { ModelChain } from './modelChain.mts';

/** What was told, replayed: added, and taken away again. */
class Ledger {
	readonly told: unknown[] = [];
	readonly hashes = new Set<unknown>();
	private readonly numbers = new Set<unknown>();

	add({ json, fate }: News, isTakenBack: boolean): void {
		if (fate === 'removed') {
			expect(json).toEqual(this.told.pop());
			return;
		}
		if (!isTakenBack) {
			expect(this.hashes.has(json.hash)).toBe(false);
			expect(fate).toBe(this.numbers.has(json.number) ? 'replacing' : 'new');
		}
		this.hashes.add(json.hash);
		this.numbers.add(json.number);
		this.told.push(json);
	}
}

/** Follows a chain and checks after each step that what was told is what there is. */
export class Follower {
	position: Position;
	private readonly ledger = new Ledger();
	private readonly start: number;

	constructor(
		private readonly chain: ModelChain,
		private readonly isTakenBack: boolean,
	) {
		this.start = chain.height;
		this.position = startAt(chain.at(this.start) as Place);
	}

	async advance(to: number): Promise<void> {
		const before = this.chain.changes;
		try {
			const step = await advance(this.position, to, this.chain.view);
			step.news.forEach((news) => this.ledger.add(news, this.isTakenBack));
			this.position = JSON.parse(JSON.stringify(step.position)) as Position;
			expect(this.position).toEqual(step.position);
			const reached = this.position.next - 1;
			const isSettled = reached === to || this.chain.changes === before;
			if (isSettled && Math.max(to, reached) <= this.chain.height) this.check(step.news);
		} catch (error) {
			// The node fell behind while it was read. Nothing has moved.
			if (!(error instanceof RequestFailure)) throw error;
		}
	}

	private check(news: readonly News[]): void {
		const removed = news.filter(({ fate }) => fate === 'removed').map(({ json }) => json);
		const everything = this.chain.happeningsBetween(0, Infinity).map(({ json }) => json);
		for (const json of removed) expect(everything).not.toContainEqual(json);
		const happened = everything.filter(
			({ number }) => Number(number) > this.start && Number(number) < this.position.next,
		);
		if (this.isTakenBack) expect(this.ledger.told).toEqual(happened);
		for (const { hash } of happened) expect(this.ledger.hashes.has(hash)).toBe(true);
		expect(this.position.marks.length).toBeLessThanOrEqual(64);
	}
}
