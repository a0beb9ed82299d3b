import { createHash } from 'node:crypto';

/** A number from 0 to 1 for a seed and what it is for: the same in whatever order it is asked for. */
export function random(...parts: ReadonlyArray<string | number>): number {
	const digest = createHash('sha256').update(parts.join(' ')).digest();
	return digest.readUInt32BE() / 2 ** 32;
}
