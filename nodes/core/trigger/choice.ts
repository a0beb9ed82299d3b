/** What the user chose, as it is stored with the position: what is watched, how many, and where it was to begin. */
interface Choice {
	readonly fingerprint: string;
	/** How many addresses are watched. The trigger keeps its position when this number becomes larger. */
	readonly count?: number;
	/** A fingerprint of where the user had it begin. */
	readonly start?: string;
}

export function formatChoice({ fingerprint, count, start }: Choice): string {
	return [
		fingerprint,
		...(count === undefined ? [] : [count]),
		...(start ? [`@${start}`] : []),
	].join(' ');
}

/** Adds where the trigger is to begin. */
export function withStart(choice: string, start: string | undefined): string {
	return formatChoice({ ...parseChoice(choice), start });
}

/** What was stored may be anything. */
function parseChoice(stored: string): Choice {
	const [fingerprint = '', ...parts] = stored.split(' ');
	const count = parts.find((part) => !part.startsWith('@'));
	return {
		fingerprint,
		count: count === undefined ? undefined : Number(count),
		start: parts.find((part) => part.startsWith('@'))?.slice(1),
	};
}

/** Whether the trigger goes on with this choice: the same, or more of the same, and no other place to begin. */
export function isContinued(before: string, present: string): boolean {
	const [old, now] = [parseChoice(before), parseChoice(present)];
	const isSameStart = now.start === undefined || now.start === old.start;
	return old.fingerprint === now.fingerprint && (old.count ?? 0) <= (now.count ?? 0) && isSameStart;
}
