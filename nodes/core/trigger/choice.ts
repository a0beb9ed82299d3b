/** The user's choice as it is stored with the position: what is watched, how many, and where it begins. */
interface Choice {
	readonly fingerprint: string;
	/** How many addresses are watched. The trigger keeps its position when this number becomes larger. */
	readonly count?: number;
	/** A fingerprint of the place where the user had it begin. */
	readonly start?: string;
}

export function formatChoice({ fingerprint, count, start }: Choice): string {
	return [
		fingerprint,
		...(count === undefined ? [] : [count]),
		...(start ? [`@${start}`] : []),
	].join(' ');
}

/** Adds where the trigger begins. */
export function withStart(choice: string, start: string | undefined): string {
	return formatChoice({ ...parseChoice(choice), start });
}

/** Stored data may contain anything. */
function parseChoice(stored: string): Choice {
	const [fingerprint = '', ...parts] = stored.split(' ');
	const count = parts.find((part) => !part.startsWith('@'));
	return {
		fingerprint,
		count: count === undefined ? undefined : Number(count),
		start: parts.find((part) => part.startsWith('@'))?.slice(1),
	};
}

/** Whether the trigger continues with this choice: the same choice, or more addresses, and the same beginning. */
export function isContinued(before: string, present: string): boolean {
	const [old, now] = [parseChoice(before), parseChoice(present)];
	const isSameStart = now.start === undefined || now.start === old.start;
	return old.fingerprint === now.fingerprint && (old.count ?? 0) <= (now.count ?? 0) && isSameStart;
}
