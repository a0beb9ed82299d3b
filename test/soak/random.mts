import { createHash } from 'node:crypto';

/** A number from 0 to 1 for a seed and a purpose, independent of the order of calls. */
export function random(...parts: ReadonlyArray<string | number>): number {
	const digest = createHash('sha256').update(parts.join(' ')).digest();
	return digest.readUInt32BE() / 2 ** 32;
}
