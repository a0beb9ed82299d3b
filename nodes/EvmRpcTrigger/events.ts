import { formatHeader } from '../core/evm/chainObjects';
import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import type { JsonObject } from '../core/values/json';
import { log, newBlockEvent, nftTransfer, tokenTransfer } from '../fields/sharedTriggerEvents';
import { followedEvent } from './chainFollower';
import type { SocketEvent } from './listener';
import { triggerOptions } from './options';
import { pendingTransaction } from './pendingTransactions';

/** After an outage of n8n, at most this many blocks are read. An outage of the node has no such limit. */
const MAX_MISSED_BLOCKS = 100_000;
/**
 * The same where blocks are searched: n8n stores a cursor only with an execution, so that one far back may only mean
 * that nothing was found since.
 */
const MAX_SEARCHED_BLOCKS = 1_000_000;

/** The data of a block beyond its header, which an announcement does not contain. */
const BODY_KEYS = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

function getHeader(block: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(block).filter(([key]) => !BODY_KEYS.includes(key)));
}

/** They are in the order of their names, in which n8n lists them. */
export const EVENTS = {
	log: followedEvent(log, MAX_SEARCHED_BLOCKS),
	newBlock: followedEvent(newBlockEvent(formatHeader, getHeader), MAX_MISSED_BLOCKS),
	nftTransfer: followedEvent(nftTransfer, MAX_SEARCHED_BLOCKS),
	pendingTransaction,
	tokenTransfer: followedEvent(tokenTransfer, MAX_SEARCHED_BLOCKS),
} as const satisfies Readonly<Record<string, SocketEvent>>;

export const [event, ...ownFields] = eventFields(EVENTS, 'newBlock');

export const fields = [authentication, event, ...ownFields, triggerOptions];
