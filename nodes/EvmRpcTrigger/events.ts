import type { JsonObject } from '../core/values/json';
import { formatDecodedLog, buildTopics, type EventChoice } from '../core/evm/logs';
import { withoutNulls, formatHeader } from '../core/evm/objects';
import { createLogView, type FormatLogs } from '../core/evm/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { newBlockEvent, nftTransfer, tokenTransfer } from '../fields/sharedTriggerEvents';
import { addresses, eventField, topics, where } from '../fields/logFields';
import { followedEvent } from './chainFollower';
import type { SocketEvent } from './listener';
import { pendingTransaction } from './pendingTransactions';

/** After an outage of n8n at most this many blocks are read. An outage of the node is always bridged. */
const MAX_MISSED_BLOCKS = 100_000;
/**
 * The same where blocks are searched: n8n stores a cursor only with an execution, so that one far back may only mean
 * that nothing was found since.
 */
const MAX_SEARCHED_BLOCKS = 1_000_000;

const signature = eventField('Event Signature', 'eventSignature');

const log = triggerEvent({
	name: 'Log',
	action: 'On contract event (log)',
	description: 'When a contract writes a log (an event)',
	fields: [addresses, signature, where, topics, simplify],
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

/** What a block has beyond its header; an announcement does not bring it. */
const BODY_KEYS = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

function getHeader(block: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(block).filter(([key]) => !BODY_KEYS.includes(key)));
}

/** They are in the order of their names, in which n8n lists them. */
export const events = {
	log: followedEvent(log, MAX_SEARCHED_BLOCKS),
	newBlock: followedEvent(newBlockEvent(formatHeader, getHeader), MAX_MISSED_BLOCKS),
	nftTransfer: followedEvent(nftTransfer, MAX_SEARCHED_BLOCKS),
	pendingTransaction,
	tokenTransfer: followedEvent(tokenTransfer, MAX_SEARCHED_BLOCKS),
} as const satisfies Readonly<Record<string, SocketEvent>>;
