/**
 * A function that runs the given functions one after another, in the order of the calls.
 * A failed function does not stop the next function.
 */
export type InTurn = <Done>(act: () => Promise<Done>) => Promise<Done>;

export function createTurns(): InTurn {
	let last: Promise<unknown> = Promise.resolve();
	return async (act) => {
		const done = last.then(act, act);
		last = done;
		return await done;
	};
}
