import type { RunContext } from '../../../nodes/core';

/**
 * What executions of this process work on now. Of two that sweep the same addresses, or by the same account, one waits: it finds
 * nothing to do then, in place of topping up a second time. Other processes are kept apart by the chain alone.
 */
const held = new Set<string>();

const LOOK_MS = 500;

/**
 * Does work while no other execution of the process holds one of the names. Gives up at a given time, in milliseconds since
 * 1970.
 */
export async function holdAlone<Result>(
	{ wait }: Pick<RunContext<never>, 'wait'>,
	{ names, end }: { readonly names: readonly string[]; readonly end: number },
	work: (isAlone: boolean) => Promise<Result>,
): Promise<Result> {
	while (names.some((name) => held.has(name))) {
		const left = end - Date.now();
		if (left <= 0) return await work(false);
		await wait(Math.min(left, LOOK_MS));
	}
	for (const name of names) held.add(name);
	try {
		return await work(true);
	} finally {
		for (const name of names) held.delete(name);
	}
}
