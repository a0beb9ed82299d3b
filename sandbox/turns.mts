/** Runs what it is given, in the order of the calls: the next begins once the one before has ended, however it ended. */
export type InTurn = <Done>(act: () => Promise<Done>) => Promise<Done>;

export function createTurns(): InTurn {
	let last: Promise<unknown> = Promise.resolve();
	return async (act) => {
		const done = last.then(act, act);
		last = done;
		return await done;
	};
}
