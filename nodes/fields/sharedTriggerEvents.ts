import { buildNftTransferFilters } from '../core/evm/nftTransfers';
import type { JsonObject } from '../core/values/json';
import { buildTransferFilters } from '../core/evm/transfers';
import { createTransferFormatter, formatNftTransfers } from '../core/evm/follow/transferItems';
import { createBlockView, createLogView } from '../core/evm/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { triggerEvent, type ViewSource } from '../core/trigger/triggerEvent';
import { accounts, contracts, direction, tokens } from './transferFields';

type FormatBlock = (block: JsonObject) => JsonObject;

/** Each trigger emits as much of a block as it reads anyway. */
export function newBlockEvent(formatSimple: FormatBlock, formatWhole: FormatBlock) {
	return triggerEvent({
		name: 'New Block',
		action: 'On new block',
		description: 'When a block is added to the chain',
		fields: [simplify],
		getChoices: () => ['newBlock'],
		createView: (p, { blocks }) => createBlockView(blocks, p.simplify ? formatSimple : formatWhole),
	});
}

export const nftTransfer = triggerEvent({
	name: 'NFT Transfer',
	action: 'On NFT transfer or mint',
	description: 'When a token of an NFT contract (ERC-721 or ERC-1155) changes hands',
	fields: [contracts, accounts, direction],
	getChoices: (p) => ['nftTransfer', p.contracts, p.accounts, p.direction],
	createView: (p, { blocks, reportDoubt }) =>
		createLogView(blocks, {
			filters: buildNftTransferFilters(p),
			format: formatNftTransfers,
			isTimed: true,
			reportDoubt,
		}),
});

export const tokenTransfer = triggerEvent({
	name: 'Token Transfer',
	action: 'On token transfer (payment, USDC, USDT)',
	description: 'When an ERC-20 token is transferred, in exact amounts',
	fields: [tokens, accounts, direction],
	getChoices: (p) => ['tokenTransfer', p.tokens, p.accounts, p.direction],
	createView: watchTransfers,
});

/** Follows the transfers of these tokens from or to these accounts. */
export function watchTransfers(
	wanted: Parameters<typeof buildTransferFilters>[0],
	{ blocks, reportDoubt, least }: ViewSource,
) {
	return createLogView(blocks, {
		filters: buildTransferFilters(wanted),
		format: createTransferFormatter(least),
		isTimed: true,
		reportDoubt,
	});
}
