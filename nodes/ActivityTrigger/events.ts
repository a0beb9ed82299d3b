import { contracts, accounts, direction, tokens } from '../fields/transferFields';
import { buildNftTransferFilters } from '../core/evm/nftTransfers';
import { formatBlock } from '../core/evm/objects';
import { buildTransferFilters } from '../core/evm/transfers';
import {
	createBlockView,
	createLogView,
	formatNftTransfers,
	createTransferFormatter,
} from '../core/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { addressActivity } from './addressActivity';
import { pollEvent } from './pollEvent';

const newBlock = pollEvent({
	name: 'New Block',
	action: 'On a new block',
	description: 'Every block that is added to the chain',
	fields: [simplify],
	getChoices: () => ['newBlock'],
	createView: (p, { blocks }) =>
		createBlockView(blocks, (block) => (p.simplify ? formatBlock(block) : block)),
	getSampleBlocks: () => 1,
	sampleTexts: { none: 'No block in the last', check: "the option 'Confirmations'" },
});

const nftTransfer = pollEvent({
	name: 'NFT Transfer',
	action: 'On an NFT transfer or mint',
	description: 'Tokens of NFT contracts (ERC-721 and ERC-1155) that change hands',
	fields: [contracts, accounts, direction],
	getChoices: (p) => ['nftTransfer', p.contracts, p.accounts, p.direction],
	getSampleBlocks: ({ maxBlocksPerPoll }) => maxBlocksPerPoll,
	sampleTexts: {
		none: 'No such transfer of an NFT in the last',
		check: 'NFT Contracts, Accounts and Direction',
	},
	createView: (p, { blocks, reportDoubt: doubt }) =>
		createLogView(blocks, {
			filters: buildNftTransferFilters(p),
			format: formatNftTransfers,
			isTimed: true,
			reportDoubt: doubt,
		}),
});

const tokenTransfer = pollEvent({
	name: 'Token Transfer',
	action: 'On a token transfer (payment, USDC)',
	description: 'Transfers of ERC-20 tokens, in exact amounts',
	fields: [tokens, accounts, direction],
	getChoices: (p) => ['tokenTransfer', p.tokens, p.accounts, p.direction],
	getSampleBlocks: ({ maxBlocksPerPoll }) => maxBlocksPerPoll,
	sampleTexts: {
		none: 'No such transfer of a token in the last',
		check: 'Tokens, Accounts and Direction',
	},
	createView: (p, { blocks, reportDoubt: doubt }) =>
		createLogView(blocks, {
			filters: buildTransferFilters(p),
			format: createTransferFormatter(),
			isTimed: true,
			reportDoubt: doubt,
		}),
});

/** By name, as n8n lists them. */
export const events = { addressActivity, newBlock, nftTransfer, tokenTransfer } as const;
