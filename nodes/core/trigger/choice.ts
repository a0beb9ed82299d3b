/** What the user chose, as it is stored with the position. What is watched may become more, and the trigger goes on. */
export function formatChoice(fingerprint: string, count?: number): string {
	return count === undefined ? fingerprint : `${fingerprint} ${count}`;
}

/** Whether the trigger goes on with this choice: the same, or more of the same. */
export function isContinued(before: string, present: string): boolean {
	const [[fingerprint, count = '0'], [presentFingerprint, presentCount = '0']] = [
		before.split(' '),
		present.split(' '),
	];
	return fingerprint === presentFingerprint && Number(count) <= Number(presentCount);
}
