import type { ReceivedRequest } from '../harness/server.mts';

const MARK = /(?:c0ffee){5}(\d{9})0/gi;

/** Returns twenty bytes in hex that occur only in the requests of this item. */
export const markOf = (item: number) => `${'c0ffee'.repeat(5)}${String(item).padStart(9, '0')}0`;

/** Lists the items that a request is about. */
export function itemsIn({ path, text }: ReceivedRequest): number[] {
	const found = (path + text).matchAll(MARK);
	return [...new Set(Array.from(found, ([, digits]) => Number(digits)))];
}
