/** An item's place in the order of the items. */
interface Turn<State> {
	/** Changes the state, once all items before have had their turn, and gives the result. Nothing changes where it throws. */
	take<Result>(change: (state: State) => Change<State, Result>): Promise<Result>;
	/** Gives the place up: where it was not taken, the next item finds what this one would have found. */
	release(): void;
}

interface Change<State, Result> {
	readonly next: State;
	readonly result: Result;
}

/** What the items of a run change one after another, in their order, however long each of them takes. */
export class OrderedState<State> {
	private next: Promise<State>;

	constructor(first: Promise<State>) {
		this.next = first;
		markHandled(first);
	}

	/** An item calls this before it waits for anything, so that the turns are in the order of the items. */
	reserve(): Turn<State> {
		const before = this.next;
		let settle: (next: State | Promise<State>) => void = () => {};
		this.next = new Promise((resolve) => (settle = resolve));
		markHandled(this.next);
		return {
			take: async (change) => {
				const { next, result } = change(await before);
				settle(next);
				return result;
			},
			release: () => settle(before),
		};
	}
}

/** Keeps Node from reporting a rejection before somebody awaits the promise. */
export function markHandled(promise: Promise<unknown>): void {
	promise.catch(() => {});
}
