import { formatHeader } from '../core/evm/chainObjects';
import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import type { JsonObject } from '../core/values/json';
import { log, newBlockEvent, nftTransfer, tokenTransfer } from '../fields/sharedTriggerEvents';
import { followedEvent } from './chainFollower';
import type { SocketEvent } from './listener';
import { triggerOptions } from './options';
import { pendingTransaction } from './pendingTransactions';

/**
 * The highest number of missed blocks to read after n8n was down. There is no limit if only the chain node was down.
 */
const MAX_MISSED_BLOCKS = 100_000;
/**
 * The highest number of missed blocks for events that are searched in blocks. It is higher, because n8n stores the
 * cursor only with an execution. An old cursor may only mean that nothing was found since.
 */
const MAX_SEARCHED_BLOCKS = 1_000_000;

/** The keys of a block that are not in its header. The announcement of a block has only the header. */
const BODY_KEYS = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

function getHeader(block: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(block).filter(([key]) => !BODY_KEYS.includes(key)));
}

/** The events stand in the order of their names, because n8n lists them in this order. */
export const EVENTS = {
	log: followedEvent(log, MAX_SEARCHED_BLOCKS),
	newBlock: followedEvent(newBlockEvent(formatHeader, getHeader), MAX_MISSED_BLOCKS),
	nftTransfer: followedEvent(nftTransfer, MAX_SEARCHED_BLOCKS),
	pendingTransaction,
	tokenTransfer: followedEvent(tokenTransfer, MAX_SEARCHED_BLOCKS),
} as const satisfies Readonly<Record<string, SocketEvent>>;

export const [event, ...ownFields] = eventFields(EVENTS, 'newBlock');

export const fields = [authentication, event, ...ownFields, triggerOptions];
