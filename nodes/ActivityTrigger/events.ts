import { simpleBlock } from '../core/chain/objects';
import { accounts, direction, tokens, transferFilters } from '../core/chain/transfers';
import { blockView, logView, transferForm } from '../core/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { addressActivity } from './addressActivity';
import { pollEvent } from './pollEvent';

const newBlock = pollEvent({
	name: 'New Block',
	description: 'Every block that is added to the chain',
	fields: [simplify],
	choices: () => ['newBlock'],
	view: (p, { blocks }) => blockView(blocks, (block) => (p.simplify ? simpleBlock(block) : block)),
	samples: () => 1,
	sought: { none: 'No block in the last', check: "the option 'Confirmations'" },
});

const tokenTransfer = pollEvent({
	name: 'Token Transfer',
	description: 'Transfers of ERC-20 tokens, in exact amounts',
	fields: [tokens, accounts, direction],
	choices: (p) => ['tokenTransfer', p.tokens, p.accounts, p.direction],
	samples: ({ maxBlocksPerPoll }) => maxBlocksPerPoll,
	sought: {
		none: 'No such transfer of a token in the last',
		check: 'Tokens, Accounts and Direction',
	},
	view: (p, { blocks, doubt }) =>
		logView(blocks, {
			filters: transferFilters(p),
			form: transferForm(),
			isTimed: true,
			doubt,
		}),
});

/** By name, as n8n lists them. */
export const events = { addressActivity, newBlock, tokenTransfer } as const;
