import type { Place, Position } from './position';

/** How far a trigger has come, and on which chain. Plain JSON, because n8n keeps it. */
export interface Kept {
	readonly chain: string;
	readonly position: Position;
}

/** A chain that ends so far below the last block was begun anew; nodes lag behind by less. */
const RESTART = 1_000;

/** Whether the chain is still the one that the position belongs to. */
export function isOnChain({ chain, position }: Kept, present: string, head: Place): boolean {
	return chain === present && head.number >= position.highest - RESTART;
}
