import type { RunContext } from './operation';

/** Says above the output what is true of an item and is no failure. */
export function addHints(
	{ addHint }: Pick<RunContext<never>, 'addHint'>,
	hints: ReadonlyArray<string | undefined>,
): void {
	for (const hint of hints) if (hint !== undefined) addHint(hint);
}
