import { addresses, eventField, topics, where } from '../fields/logFields';
import { formatDecodedLog, buildTopics, type EventChoice } from '../core/evm/logs';
import { contracts, accounts, direction, tokens } from '../fields/transferFields';
import { buildNftTransferFilters } from '../core/evm/nftTransfers';
import { withoutNulls, formatHeader, type ChainObject } from '../core/evm/objects';
import { buildTransferFilters } from '../core/evm/transfers';
import { LogsMissing } from '../core/follow/provenLogs';
import {
	createBlockView,
	createLogView,
	formatNftTransfers,
	createTransferFormatter,
	type FormatLogs,
} from '../core/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { ChainFollower } from './chainFollower';
import { MAX_MISSED_BLOCKS, MAX_SEARCHED_BLOCKS } from './cursor';
import { pendingTransaction } from './pendingTransactions';
import { triggerEvent, type TriggerDeps } from './triggerEvent';

/** Tells the user of blocks whose logs may be missing for good. */
function createDoubtReporter({ report }: TriggerDeps): (block: number) => void {
	return (block) => report(new LogsMissing([block]));
}

const signature = eventField('Event Signature', 'eventSignature');

export const log = triggerEvent({
	name: 'Log',
	action: 'On a contract event (log)',
	description: 'When a contract writes a log (an event)',
	fields: [addresses, signature, where, topics, simplify],
	createFollower: (p, deps) => {
		const choice = { event: p.eventSignature, where: p.where, topics: p.topics };
		const filter = { addresses: p.addresses, topics: buildTopics(choice, signature.displayName) };
		const choices = ['log', filter.addresses, JSON.stringify(filter.topics)];
		return new ChainFollower(
			deps,
			choices,
			(chain) =>
				createLogView(chain, {
					filters: [filter],
					format: p.simplify ? createLogFormatter(choice) : formatWholeLogs,
					isTimed: p.simplify,
					reportDoubt: createDoubtReporter(deps),
				}),
			MAX_SEARCHED_BLOCKS,
		);
	},
});

function createLogFormatter(choice: EventChoice): FormatLogs {
	return async (logs, timeOf) =>
		await Promise.resolve(
			logs.map((one) => [
				{ ...formatDecodedLog(choice, one), ...withoutNulls({ timestamp: timeOf(one) }) },
			]),
		);
}

const formatWholeLogs: FormatLogs = async (logs) => await Promise.resolve(logs.map((one) => [one]));

/** What a block has beyond its header; an announcement does not bring it. */
const BODY_KEYS = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

function getHeader(block: ChainObject): ChainObject {
	return Object.fromEntries(Object.entries(block).filter(([key]) => !BODY_KEYS.includes(key)));
}

const newBlock = triggerEvent({
	name: 'New Block',
	action: 'On a new block',
	description: 'When a block is added to the chain',
	fields: [simplify],
	createFollower: (p, deps) =>
		new ChainFollower(
			deps,
			['newBlock'],
			(chain) => createBlockView(chain, p.simplify ? formatHeader : getHeader),
			MAX_MISSED_BLOCKS,
		),
});

const nftTransfer = triggerEvent({
	name: 'NFT Transfer',
	action: 'On an NFT transfer or mint',
	description: 'When a token of an NFT contract (ERC-721 or ERC-1155) changes hands',
	fields: [contracts, accounts, direction],
	createFollower: (p, deps) => {
		const filters = buildNftTransferFilters(p);
		const choices = ['nftTransfer', p.contracts, p.accounts, p.direction];
		return new ChainFollower(
			deps,
			choices,
			(chain) =>
				createLogView(chain, {
					filters,
					format: formatNftTransfers,
					isTimed: true,
					reportDoubt: createDoubtReporter(deps),
				}),
			MAX_SEARCHED_BLOCKS,
		);
	},
});

const tokenTransfer = triggerEvent({
	name: 'Token Transfer',
	action: 'On a token transfer (payment, USDC)',
	description: 'When an ERC-20 token is transferred, in exact amounts',
	fields: [tokens, accounts, direction],
	createFollower: (p, deps) => {
		const form = createTransferFormatter();
		const filters = buildTransferFilters(p);
		const choices = ['tokenTransfer', p.tokens, p.accounts, p.direction];
		return new ChainFollower(
			deps,
			choices,
			(chain) =>
				createLogView(chain, {
					filters,
					format: form,
					isTimed: true,
					reportDoubt: createDoubtReporter(deps),
				}),
			MAX_SEARCHED_BLOCKS,
		);
	},
});

/** By name, as n8n lists them. */
export const events = { log, newBlock, nftTransfer, pendingTransaction, tokenTransfer } as const;
