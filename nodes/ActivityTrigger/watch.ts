import type { ChainObject } from '../core/chain/evm';
import type { ChainView } from '../core/chain/follow';
import type { News } from '../core/chain/position';
import type { Ask } from '../core/chain/view';
import { addressActivity } from './activity';
import { newBlocks } from './blocks';
import type { Wanted } from './fields';

/** What of the chain is told, and how. */
export interface Watch extends ChainView {
	item(news: News): ChainObject;
}

/** Calls methods at a path of the node. */
export type AskAt = (path: string) => Ask;

export function watchFor(wanted: Wanted, askAt: AskAt): Watch {
	return wanted.event === 'newBlock' ? newBlocks(wanted, askAt) : addressActivity(wanted, askAt);
}
