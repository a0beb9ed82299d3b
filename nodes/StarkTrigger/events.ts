import type { BlockRange } from '../core/chain/blocks';
import { createKeyMaker, type LeastAmount } from '../core/chain/payment';
import type { RpcReader } from '../core/chain/reader';
import { readOnce } from '../core/net/pacing/shared';
import type { Field, Params } from '../core/operation/field';
import { methodPrefix } from '../core/operation/methodPrefix';
import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { rpcOptions } from '../core/operation/transportOptions';
import { collectPages } from '../core/protocols/rpc/pages';
import type { FoundEvent, StarkWatch } from '../core/stark/branch';
import { formatEvents, readEventChoice, type EventChoice } from '../core/stark/eventChoice';
import { readEvents } from '../core/stark/eventRange';
import type { EventFilter, StarkEvent } from '../core/stark/events';
import { formatFelt } from '../core/stark/felts';
import {
	pickTransfers,
	readTransferFilters,
	readTransferItems,
	sortDistinctTransfers,
	type SizedChoice,
} from '../core/stark/transfers';
import type { PollEvent } from '../core/trigger/poll';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { minAmountExcept } from '../fields/minAmount';
import { startAt } from '../fields/pollFields';
import {
	abi,
	accounts,
	contractFilter,
	eventNameField,
	keys,
	path,
	tokens,
} from '../fields/starkFields';
import { direction } from '../fields/transferFields';
import { value } from './value';

/** The reader of the node, and the smallest amount that starts the workflow. */
export interface StarkSource {
	readonly reader: RpcReader;
	/** Smaller transfers are left out. */
	readonly least: LeastAmount;
}

const eventName = eventNameField('eventName');

const contractEvent = triggerEvent({
	name: 'Event',
	action: 'On contract event',
	description:
		"Starts the workflow when a contract writes an event. The trigger decodes the event by the contract's ABI, which describes its functions and events.",
	fields: [contractFilter, eventName, abi, keys],
	getChoices: (p) => [
		'event',
		p.contract === undefined ? '' : formatFelt(p.contract),
		p.eventName,
		JSON.stringify(p.keys.map((position) => position.map(String))),
	],
	createView: (p, { reader }: StarkSource): StarkWatch => {
		const given = { ...p, event: p.eventName, label: eventName.displayName };
		const reads = new Map<'choice', Promise<EventChoice>>();
		const readChoice = async () =>
			await readOnce(reads, 'choice', async () => await readEventChoice(reader, given));
		return {
			check: async () => void (await readChoice()),
			find: async (range, lastBlock) => {
				const choice = await readChoice();
				const filter = { contract: p.contract, keys: choice.keys, lastBlock };
				const events = await collectPages(readEvents(reader, filter, range));
				return await formatFound(reader, events, choice);
			},
		};
	},
});

async function formatFound(
	reader: RpcReader,
	events: readonly StarkEvent[],
	{ decode, isWanted }: EventChoice,
): Promise<FoundEvent[]> {
	const wanted = isWanted ? events.filter(isWanted) : events;
	const items = await formatEvents(reader, wanted, decode);
	return wanted.map((one, index) => ({ event: one, item: items[index] ?? {} }));
}

const tokenTransfer = triggerEvent({
	name: 'Token Transfer',
	action: 'On token transfer (ERC-20, payment)',
	description:
		'Starts the workflow when tokens are transferred, for example in a payment. Amounts are never rounded.',
	fields: [tokens, accounts, direction],
	getChoices: (p) => [
		'tokenTransfer',
		p.tokens.map(formatFelt),
		p.accounts.map(formatFelt),
		p.direction,
	],
	createView: (p, { reader, least }: StarkSource): StarkWatch => {
		const choice = { ...p, least };
		const reads = new Map<'filters', Promise<readonly EventFilter[]>>();
		const readFilters = async () =>
			await readOnce(reads, 'filters', async () => await readTransferFilters(reader, choice));
		return {
			find: async (range, lastBlock) => {
				const filters = (await readFilters()).map((one) => ({ ...one, lastBlock }));
				return await findTransfers(reader, choice, filters, range);
			},
		};
	},
});

/**
 * Finds transfers by all filters. A transfer from an account to itself matches two filters, so duplicates are
 * removed.
 */
async function findTransfers(
	reader: RpcReader,
	choice: SizedChoice,
	filters: readonly EventFilter[],
	range: BlockRange,
): Promise<FoundEvent[]> {
	const lists = await Promise.all(
		filters.map(async (one) =>
			pickTransfers(choice, await collectPages(readEvents(reader, one, range))),
		),
	);
	const [only = []] = lists;
	const transfers = lists.length === 1 ? only : sortDistinctTransfers(lists);
	return await readTransferItems(reader, choice, transfers, createKeyMaker());
}

/** The events stand in the order of their names, because n8n lists them in this order. */
export const EVENTS = {
	event: {
		...contractEvent,
		sample: { none: 'No such event was found', check: 'Contract, Event Name and Keys' },
	},
	tokenTransfer: {
		...tokenTransfer,
		sample: { none: 'No such transfer was found', check: 'Tokens, Accounts and Direction' },
	},
} as const satisfies Readonly<Record<string, PollEvent<StarkSource, StarkWatch>>>;

const until = {
	displayName: 'Until',
	name: 'until',
	type: 'options',
	default: 'acceptedOnL2',
	description: 'The status that a block must have before its events start the workflow',
	options: [
		{
			name: 'Accepted on L1',
			value: 'acceptedOnL1',
			description:
				'The workflow starts when the block is proven on the chain below (L1, such as Ethereum), which takes hours. The block is then irreversible.',
		},
		{
			name: 'Accepted on L2',
			value: 'acceptedOnL2',
			description:
				'The workflow starts when the block is on the rollup (L2). Such a block is replaced only in an emergency.',
		},
	],
} as const satisfies Field;

const minAmount = minAmountExcept('event', 'value');

export const triggerOptions = rpcOptions(minAmount, until, path, methodPrefix, startAt);

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'event');

export const fields = [authentication, event, ...ownFields, triggerOptions];

/** Gives the options that the user set, and the defaults of all other options. */
export function withDefaults({ options: set }: Params<readonly [typeof triggerOptions]>) {
	return {
		minAmount: set.minAmount,
		startAt: set.startAt,
		until: set.until ?? until.default,
		path: set.path ?? path.default,
		methodPrefix: set.methodPrefix ?? methodPrefix.default,
	};
}
