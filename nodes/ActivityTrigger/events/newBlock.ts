import { blockView } from '../../core/evm/follow/blockView';
import { simpleBlock } from '../../core/evm/objects/simpleBlock';
import { simplify } from '../../core/operation/sharedFields';
import { pollEvent } from '../pollEvent';

export const newBlock = pollEvent({
	name: 'New Block',
	description: 'Every block that is added to the chain',
	fields: [simplify],
	choices: () => ['newBlock'],
	view: (p, { blocks }) => blockView(blocks, (block) => (p.simplify ? simpleBlock(block) : block)),
	samples: () => 1,
});
