import { addresses, eventField, topics, where } from '../core/chain/logFields';
import { readableLog, topicsOf, type EventChoice } from '../core/chain/logs';
import { contracts, nftTransferFilters } from '../core/chain/nftTransfers';
import { present, simpleHeader, type ChainObject } from '../core/chain/objects';
import { accounts, direction, tokens, transferFilters } from '../core/chain/transfers';
import { LogsMissing } from '../core/follow/provenLogs';
import {
	blockView,
	logView,
	nftTransferForm,
	transferForm,
	type LogForm,
} from '../core/follow/views';
import { simplify } from '../core/operation/sharedFields';
import { ChainFollower } from './chainFollower';
import { MOST_MISSED, MOST_SEARCHED } from './position';
import { pendingTransaction } from './pendingTransactions';
import { triggerEvent, type TriggerDeps } from './triggerEvent';

/** Tells the user of blocks whose logs may be missing for good. */
function doubts({ report }: TriggerDeps): (block: number) => void {
	return (block) => report(new LogsMissing([block]));
}

const signature = eventField('Event Signature', 'eventSignature');

export const log = triggerEvent({
	name: 'Log',
	action: 'On a contract event (log)',
	description: 'When a contract writes a log (an event)',
	fields: [addresses, signature, where, topics, simplify],
	follower: (p, deps) => {
		const choice = { event: p.eventSignature, where: p.where, topics: p.topics };
		const filter = { addresses: p.addresses, topics: topicsOf(choice, signature.displayName) };
		const choices = ['log', filter.addresses, JSON.stringify(filter.topics)];
		return new ChainFollower(
			deps,
			choices,
			(chain) =>
				logView(chain, {
					filters: [filter],
					form: p.simplify ? readable(choice) : whole,
					isTimed: p.simplify,
					doubt: doubts(deps),
				}),
			MOST_SEARCHED,
		);
	},
});

function readable(choice: EventChoice): LogForm {
	return async (logs, timeOf) =>
		await Promise.resolve(
			logs.map((one) => [{ ...readableLog(choice, one), ...present({ timestamp: timeOf(one) }) }]),
		);
}

const whole: LogForm = async (logs) => await Promise.resolve(logs.map((one) => [one]));

/** What a block has beyond its header; an announcement does not bring it. */
const BODY = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

function headerOf(block: ChainObject): ChainObject {
	return Object.fromEntries(Object.entries(block).filter(([key]) => !BODY.includes(key)));
}

const newBlock = triggerEvent({
	name: 'New Block',
	action: 'On a new block',
	description: 'When a block is added to the chain',
	fields: [simplify],
	follower: (p, deps) =>
		new ChainFollower(
			deps,
			['newBlock'],
			(chain) => blockView(chain, p.simplify ? simpleHeader : headerOf),
			MOST_MISSED,
		),
});

const nftTransfer = triggerEvent({
	name: 'NFT Transfer',
	action: 'On an NFT transfer or mint',
	description: 'When a token of an NFT contract (ERC-721 or ERC-1155) changes hands',
	fields: [contracts, accounts, direction],
	follower: (p, deps) => {
		const filters = nftTransferFilters(p);
		const choices = ['nftTransfer', p.contracts, p.accounts, p.direction];
		return new ChainFollower(
			deps,
			choices,
			(chain) =>
				logView(chain, { filters, form: nftTransferForm, isTimed: true, doubt: doubts(deps) }),
			MOST_SEARCHED,
		);
	},
});

const tokenTransfer = triggerEvent({
	name: 'Token Transfer',
	action: 'On a token transfer (payment, USDC)',
	description: 'When an ERC-20 token is transferred, in exact amounts',
	fields: [tokens, accounts, direction],
	follower: (p, deps) => {
		const form = transferForm();
		const filters = transferFilters(p);
		const choices = ['tokenTransfer', p.tokens, p.accounts, p.direction];
		return new ChainFollower(
			deps,
			choices,
			(chain) => logView(chain, { filters, form, isTimed: true, doubt: doubts(deps) }),
			MOST_SEARCHED,
		);
	},
});

/** By name, as n8n lists them. */
export const events = { log, newBlock, nftTransfer, pendingTransaction, tokenTransfer } as const;
