export function check(condition: unknown, otherwise: string): void {
	if (!condition) throw new Error(otherwise);
}
