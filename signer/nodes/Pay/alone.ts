import type { RunContext } from '../../../nodes/core';

/**
 * The names of the keys and paying accounts with which executions of this process sweep at present. An execution that
 * needs one of these names waits, so that no address is topped up twice. Other processes do not see this set.
 */
const held = new Set<string>();

const LOOK_MS = 500;

/**
 * Waits until no other execution of the process holds one of the names, and then does the work. It stops waiting
 * at `end`, in milliseconds since 1970.
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
