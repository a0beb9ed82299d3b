import { simpleBlock } from '../core/evm/simpleBlock';
import { headerAt, headersBetween } from '../core/evm/header';
import type { Wanted } from './fields';
import type { AskAt, Watch } from './watch';

/** Every block. */
export function newBlocks({ simplify, blockPath }: Wanted, askAt: AskAt): Watch {
	const ask = askAt(blockPath);
	return {
		isTakenBack: false,
		blockRef: async (number) => await headerAt(ask, number),
		events: async (from, to) =>
			(await headersBetween(ask, from, to)).map((block) => ({
				block,
				json: simplify ? simpleBlock(block.json) : block.json,
			})),
		item: ({ json, fate }) => ({ ...json, reorganized: fate === 'replacing' }),
	};
}
