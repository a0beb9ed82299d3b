import type { Field } from '../core/operation/field';
import { limit, returnAll, simplify } from '../core/operation/sharedFields';
import type { StarkAbi } from '../core/stark/abi/abi';
import { createEventDecoder, findEvents } from '../core/stark/abi/event';
import type { DeclaredEvent } from '../core/stark/abi/eventTree';
import { readContractAbi } from '../core/stark/contracts';
import {
	formatEvent,
	formatEventPosition,
	readEventDecoders,
	type DecodeContractEvent,
} from '../core/stark/eventItems';
import { readEvents, readRange } from '../core/stark/eventRange';
import type { StarkEvent } from '../core/stark/events';
import { encodeFelt, formatFelt, parseFeltNumber, parseStarkAddress } from '../core/stark/felts';
import type { StarkNode } from '../core/stark/node';
import { InvalidInput } from '../core/errors/invalidInput';
import { rpc } from '../core/transport/rpc/chain';
import { parseJsonList } from '../core/values/json';
import { optionalParser } from '../core/values/numbers';
import { isBlank, parseAs, parseText, throwInvalidValue, type Parse } from '../core/values/parse';
import { abi, contract as required, fromBlock, openNode, options, path, toBlock } from './fields';

const contract = {
	...required,
	required: false,
	description: 'Only events of this contract; leading zeros may be left out',
	hint: 'Empty for any contract',
	parse: optionalParser(parseStarkAddress),
} as const satisfies Field;

const event = {
	displayName: 'Event',
	name: 'event',
	type: 'string',
	default: '',
	placeholder: 'e.g. Transfer',
	description: 'Only events of this name, as the ABI of the contract has it',
	hint: 'Empty for any event',
	parse: parseText,
} as const satisfies Field;

/** Parses keys by position: each a felt, a list of alternatives, or nothing for any. */
const parseKeys: Parse<bigint[][]> = (given) =>
	(isBlank(given) ? [] : parseJsonList(given)).map((position) => {
		if (isBlank(position)) return [];
		return (Array.isArray(position) ? position : [position]).map((key) => parseFeltNumber(key));
	});

const keys = {
	displayName: 'Keys',
	name: 'keys',
	type: 'json',
	default: '[]',
	description:
		'A filter by key position: a JSON list whose entries are a key, a list of alternatives, or null for any. The first key is that of the event.',
	hint: 'e.g. [null, "0x4718f5a…"]. With an event given, its own keys stand in front and are left null here.',
	parse: parseKeys,
} as const satisfies Field;

const getAll = rpc({
	name: 'Get Many',
	action: 'Find events of a contract',
	description: 'Find the events of contracts over any range of blocks, decoded by their ABIs',
	fields: [
		contract,
		event,
		abi,
		keys,
		fromBlock,
		toBlock,
		returnAll,
		limit,
		simplify,
		path,
		options,
	],
	async *run(p, chain) {
		const node = openNode(chain, p);
		const [range, choice] = await Promise.all([readRange(node, p), readChoice(node, p)]);
		const filter = { contract: p.contract, keys: choice.keys };
		// What is left out after decoding leaves room for more.
		const wanted = choice.isWanted ? Infinity : p.limit;
		for await (const events of readEvents(node, filter, range, wanted)) {
			const found = choice.isWanted ? events.filter(choice.isWanted) : events;
			yield* p.simplify ? await formatEvents(node, found, choice.decode) : found.map(formatRaw);
		}
	},
});

interface EventChoice {
	readonly keys: ReadonlyArray<readonly bigint[]>;
	/** Decodes by the ABI that was given or read; without one, by that of each contract. */
	readonly decode?: DecodeContractEvent;
	/** Whether an event that the node found is one of the chosen name. */
	readonly isWanted?: (event: StarkEvent) => boolean;
}

interface EventInputs {
	readonly contract: bigint | undefined;
	readonly event: string;
	readonly abi: StarkAbi | undefined;
	readonly keys: readonly bigint[][];
}

async function readChoice(node: StarkNode, given: EventInputs): Promise<EventChoice> {
	const known = given.abi ?? (await readAbiOfEvent(node, given));
	const decode = known && createEventDecoder(known, known.events);
	if (given.event === '' || !known) return { keys: given.keys, decode };
	const events = parseAs('Event', given.event, (name) => findEvents(known, parseText(name)));
	const decodeWanted = createEventDecoder(known, events);
	return {
		keys: mergeKeys(events, given.keys),
		decode: decodeWanted,
		isWanted: (one) => decodeWanted(one) !== undefined,
	};
}

async function readAbiOfEvent(
	node: StarkNode,
	{ contract: address, event: name }: EventInputs,
): Promise<StarkAbi | undefined> {
	if (name === '') return undefined;
	if (address !== undefined) return await readContractAbi(node, address);
	throw new InvalidInput(
		"'Event' needs 'Contract' or 'ABI', which says what its values are",
		"Without both, leave 'Event' empty and filter by 'Keys'.",
	);
}

/** The keys that all paths to the event begin with, with those that the user gave. */
function mergeKeys(events: readonly DeclaredEvent[], given: readonly bigint[][]): bigint[][] {
	const shortest = events.reduce(
		(least, { selectors }) => Math.min(least, selectors.length),
		Infinity,
	);
	const own = Array.from({ length: shortest }, (_, at) => [
		...new Set(events.flatMap(({ selectors }) => selectors[at] ?? [])),
	]);
	const length = Math.max(own.length, given.length);
	return Array.from({ length }, (_, at) => mergePosition(own[at] ?? [], given[at] ?? []));
}

function mergePosition(own: readonly bigint[], given: readonly bigint[]): bigint[] {
	if (own.length === 0 || given.length === 0) return [...own, ...given];
	const both = own.filter((key) => given.includes(key));
	return both.length > 0
		? both
		: parseAs('Keys', given.map(formatFelt), () =>
				throwInvalidValue(
					`empty where the keys of the event stand: ${own.map(encodeFelt).join(', ')}`,
				),
			);
}

async function formatEvents(
	node: StarkNode,
	events: readonly StarkEvent[],
	known: DecodeContractEvent | undefined,
): Promise<object[]> {
	const decode = known ?? (await readEventDecoders(node, events));
	return events.map((one) => ({
		...formatEvent(one, decode),
		...formatEventPosition(one),
		eventIndex: one.eventIndex,
	}));
}

/** The documented fields. */
function formatRaw(one: StarkEvent): object {
	return {
		from_address: encodeFelt(one.contract),
		keys: one.keys.map(encodeFelt),
		data: one.data.map(encodeFelt),
		block_number: one.blockNumber,
		block_hash: one.blockHash === null ? null : encodeFelt(one.blockHash),
		transaction_hash: one.transactionHash === null ? null : encodeFelt(one.transactionHash),
		...(one.transactionIndex !== null && { transaction_index: one.transactionIndex }),
		...(one.eventIndex !== null && { event_index: one.eventIndex }),
	};
}

export const events = { name: 'Event', operations: { getAll } };
