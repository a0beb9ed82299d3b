import { buildNftTransferFilters } from '../core/evm/nftTransfers';
import type { JsonObject } from '../core/values/json';
import { buildTransferFilters } from '../core/evm/transfers';
import { createTransferFormatter, formatNftTransfers } from '../core/evm/follow/transferItems';
import { formatDecodedLog, buildTopics, type EventChoice } from '../core/evm/logs';
import { withoutNulls } from '../core/evm/chainObjects';
import { createBlockView, createLogView, type FormatLogs } from '../core/evm/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { triggerEvent, type ViewSource } from '../core/trigger/triggerEvent';
import { addresses, eventField, topics, where } from './logFields';
import { accounts, contracts, direction, tokens } from './transferFields';

type FormatBlock = (block: JsonObject) => JsonObject;

/** Makes the event New Block. Each trigger emits the parts of a block that it has read anyway. */
export function newBlockEvent(formatSimple: FormatBlock, formatWhole: FormatBlock) {
	return triggerEvent({
		name: 'New Block',
		action: 'On new block',
		description: 'Starts the workflow when a block is added to the chain',
		fields: [simplify],
		getChoices: () => ['newBlock'],
		createView: (p, { blocks }) => createBlockView(blocks, p.simplify ? formatSimple : formatWhole),
	});
}

const signature = eventField('Event Signature', 'eventSignature');

/** The hint names the trigger's own field for the event. */
const topicsBySignature = {
	...topics,
	hint: 'If you use Topics, leave Event Signature and Where empty',
} as const;

/** The event for logs of contracts. A log is decoded if the user declares its event. */
export const log = triggerEvent({
	name: 'Log',
	action: 'On contract event (log)',
	description: 'Starts the workflow when a contract writes a log (an event)',
	fields: [addresses, signature, where, topicsBySignature, simplify],
	getChoices: (p) => ['log', p.addresses, JSON.stringify(buildLogTopics(p))],
	createView: (p, { blocks, reportDoubt }) =>
		createLogView(blocks, {
			filters: [{ addresses: p.addresses, topics: buildLogTopics(p) }],
			format: p.simplify ? createLogFormatter(p) : formatWholeLogs,
			isTimed: p.simplify,
			reportDoubt,
		}),
});

interface LogChoice extends Pick<EventChoice, 'where' | 'topics'> {
	readonly eventSignature: EventChoice['event'];
}

function buildLogTopics({ eventSignature: event, where: conditions, topics: given }: LogChoice) {
	return buildTopics({ event, where: conditions, topics: given }, signature.displayName);
}

function createLogFormatter({ eventSignature: event }: LogChoice): FormatLogs {
	return async (logs, timeOf) =>
		await Promise.resolve(
			logs.map((one) => [
				{ ...formatDecodedLog({ event }, one), ...withoutNulls({ timestamp: timeOf(one) }) },
			]),
		);
}

const formatWholeLogs: FormatLogs = async (logs) => await Promise.resolve(logs.map((one) => [one]));

export const nftTransfer = triggerEvent({
	name: 'NFT Transfer',
	action: 'On NFT transfer or mint',
	description:
		'Starts the workflow when a token of an NFT contract (ERC-721 or ERC-1155) changes hands',
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
	description: 'Starts the workflow when an ERC-20 token is transferred',
	fields: [tokens, accounts, direction],
	getChoices: (p) => ['tokenTransfer', p.tokens, p.accounts, p.direction],
	createView: watchTransfers,
});

/** Follows the wanted transfers of tokens, by their tokens, accounts and direction. */
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
