import type { ChainObject } from '../../core/evm/objects/chainObject';
import { blockView } from '../../core/evm/follow/blockView';
import { simpleHeader } from '../../core/evm/objects/simpleBlock';
import { simplify } from '../../core/operation/sharedFields';
import { ChainFollower } from '../follow/chainFollower';
import { triggerEvent } from '../follow/triggerEvent';

/** What a block has beyond its header; an announcement does not bring it. */
const BODY = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

function headerOf(block: ChainObject): ChainObject {
	return Object.fromEntries(Object.entries(block).filter(([key]) => !BODY.includes(key)));
}

export const newBlock = triggerEvent({
	name: 'New Block',
	description: 'When a block is added to the chain',
	fields: [simplify],
	follower: (p, around) =>
		new ChainFollower(around, ['newBlock'], (ask) =>
			blockView(ask, p.simplify ? simpleHeader : headerOf),
		),
});
