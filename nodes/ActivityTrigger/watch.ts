import type { ChainObject } from '../core/evm/chainObject';
import type { ChainView } from '../core/evm/follow/advance';
import type { Emission } from '../core/evm/follow/cursor';
import type { Ask } from '../core/evm/header';

/** What of the chain is told, and how. */
export interface Watch extends ChainView {
	item(emissions: Emission): ChainObject;
}

/** Calls methods at a path of the node. */
export type AskAt = (path: string) => Ask;
