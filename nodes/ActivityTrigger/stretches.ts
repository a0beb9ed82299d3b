import { STRETCH } from '../core/chain/follow';

export interface Stretch {
	readonly from: number;
	readonly to: number;
}

/** The blocks between two, both included, in stretches. */
export function stretches(from: number, to: number): Stretch[] {
	return Array.from({ length: Math.ceil((to - from + 1) / STRETCH) }, (_, index) => {
		const start = from + index * STRETCH;
		return { from: start, to: Math.min(start + STRETCH - 1, to) };
	});
}
