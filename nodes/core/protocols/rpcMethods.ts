/** Whether a method sends a transaction, by its name: what it did once, it must not do twice. */
export function sends(method: string): boolean {
	return /send|submit|broadcast|add\w*transaction/i.test(method);
}
