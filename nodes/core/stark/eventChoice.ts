import { InvalidInput } from '../errors/invalidInput';
import { parseJsonList } from '../values/json';
import { isBlank, parseText, type Parse, parseField, InvalidValue } from '../values/parse';
import type { StarkAbi } from './abi/abi';
import { createEventDecoder, findEvents, hasKeysOf } from './abi/event';
import type { DeclaredEvent } from './abi/eventTree';
import { readContractAbi } from './contracts';
import {
	formatEvent,
	formatEventPosition,
	readEventDecoders,
	type DecodeContractEvent,
} from './eventItems';
import type { StarkEvent } from './events';
import { encodeFelt, formatFelt, parseFeltNumber } from './felts';
import type { RpcReader } from '../chain/reader';
import { raise } from '../errors/raise';

/** Nodes accept fewer keys than this. Parsing many more keys would hold up n8n. */
const MAX_KEYS = 10_000;

/** Parses keys by position. Each position has a felt, a list of alternatives, or nothing, which accepts any key. */
export const parseKeys: Parse<bigint[][]> = (given) => {
	const positions = isBlank(given) ? [] : parseJsonList(given);
	let left = MAX_KEYS;
	for (const position of positions) {
		left -= Array.isArray(position) ? Math.max(position.length, 1) : 1;
		if (left < 0)
			throw new InvalidValue(
				`a JSON array of at most ${MAX_KEYS} keys (indexed values of an event)`,
			);
	}
	return positions.map((position) => {
		if (isBlank(position)) return [];
		return (Array.isArray(position) ? position : [position]).map((key) => parseFeltNumber(key));
	});
};

/** The events to find, and the function that decodes them. */
export interface EventChoice {
	readonly keys: ReadonlyArray<readonly bigint[]>;
	/**
	 * Decodes events by the ABI that the user gave. If undefined, each event is decoded by the ABI of its own contract.
	 */
	readonly decode?: DecodeContractEvent;
	/** Whether an event that the node has found really has the chosen name. */
	readonly isWanted?: (event: StarkEvent) => boolean;
}

/** The values of the fields in which the user chooses events. */
interface EventInputs {
	readonly contract: bigint | undefined;
	readonly event: string;
	readonly abi: StarkAbi | undefined;
	/** The display name of the field that holds the name of the event. */
	readonly label?: string;
	readonly keys: readonly bigint[][];
}

/** Chooses events by name, with the keys and the decoder that the ABI gives for them. */
export async function readEventChoice(reader: RpcReader, given: EventInputs): Promise<EventChoice> {
	const known = given.abi ?? (await readAbiOfEvent(reader, given));
	if (!known) return { keys: given.keys };
	const decode = createEventDecoder(known, known.events);
	if (given.event === '') return { keys: given.keys, decode };
	const events = parseField(given.label ?? 'Event', given.event, (name) =>
		findEvents(known, parseText(name)),
	);
	const decodeWanted = createEventDecoder(known, events);
	return {
		keys: mergeKeys(events, given.keys),
		decode: decodeWanted,
		// An event that has the right keys but fits no declaration is kept without decoding. A contract may emit more
		// than its ABI says.
		isWanted: (one) => decodeWanted(one) !== undefined || (!decode(one) && hasKeysOf(events, one)),
	};
}

async function readAbiOfEvent(
	reader: RpcReader,
	{ contract: address, event: name, label = 'Event' }: EventInputs,
): Promise<StarkAbi | undefined> {
	if (name === '') return undefined;
	if (address !== undefined) return await readContractAbi(reader, address);
	throw new InvalidInput(
		`'${label}' needs 'Contract' or 'ABI', because the ABI of a contract declares its events`,
		`Without both, leave '${label}' empty and filter by 'Keys'.`,
	);
}

/** Combines, for each position, the keys that name the chosen events with the keys that the user gave. */
function mergeKeys(events: readonly DeclaredEvent[], given: readonly bigint[][]): bigint[][] {
	const shortest = events.reduce(
		(least, { selectors }) => Math.min(least, selectors.length),
		Infinity,
	);
	const own = Array.from({ length: shortest }, (_, at) => [
		...new Set(events.flatMap(({ selectors }) => selectors[at] ?? [])),
	]);
	const length = Math.max(own.length, given.length);
	return Array.from({ length }, (_, at) => mergePosition(at, own[at] ?? [], given[at] ?? []));
}

function mergePosition(at: number, own: readonly bigint[], given: readonly bigint[]): bigint[] {
	if (own.length === 0 || given.length === 0) return [...own, ...given];
	const both = own.filter((key) => given.includes(key));
	return both.length > 0
		? both
		: parseField('Keys', given.map(formatFelt), () =>
				raise(
					new InvalidValue(
						`a JSON array with null as key ${at + 1}, because the chosen event sets this key itself, to ${own.map(encodeFelt).join(' or ')}`,
					),
				),
			);
}

/** Formats events for output items, with their positions on the chain. */
export async function formatEvents(
	reader: RpcReader,
	events: readonly StarkEvent[],
	known: DecodeContractEvent | undefined,
): Promise<object[]> {
	const decode = known ?? (await readEventDecoders(reader, events));
	return events.map((one) => ({
		...formatEvent(one, decode),
		...formatEventPosition(one),
		eventIndex: one.eventIndex,
	}));
}
