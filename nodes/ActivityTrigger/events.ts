import { contracts, nftTransferFilters } from '../core/chain/nftTransfers';
import { simpleBlock } from '../core/chain/objects';
import { accounts, direction, tokens, transferFilters } from '../core/chain/transfers';
import { blockView, logView, nftTransferForm, transferForm } from '../core/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { addressActivity } from './addressActivity';
import { pollEvent } from './pollEvent';

const newBlock = pollEvent({
	name: 'New Block',
	action: 'On a new block',
	description: 'Every block that is added to the chain',
	fields: [simplify],
	choices: () => ['newBlock'],
	view: (p, { blocks }) => blockView(blocks, (block) => (p.simplify ? simpleBlock(block) : block)),
	samples: () => 1,
	sought: { none: 'No block in the last', check: "the option 'Confirmations'" },
});

const nftTransfer = pollEvent({
	name: 'NFT Transfer',
	action: 'On an NFT transfer or mint',
	description: 'Tokens of NFT contracts (ERC-721 and ERC-1155) that change hands',
	fields: [contracts, accounts, direction],
	choices: (p) => ['nftTransfer', p.contracts, p.accounts, p.direction],
	samples: ({ maxBlocksPerPoll }) => maxBlocksPerPoll,
	sought: {
		none: 'No such transfer of an NFT in the last',
		check: 'NFT Contracts, Accounts and Direction',
	},
	view: (p, { blocks, doubt }) =>
		logView(blocks, {
			filters: nftTransferFilters(p),
			form: nftTransferForm,
			isTimed: true,
			doubt,
		}),
});

const tokenTransfer = pollEvent({
	name: 'Token Transfer',
	action: 'On a token transfer (payment, USDC)',
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
export const events = { addressActivity, newBlock, nftTransfer, tokenTransfer } as const;
