import { findNearestNames } from '../../values/nearest';
import { buildNamedValues } from '../../values/namedValues';
import { catching, InvalidValue } from '../../values/parse';
import type { StarkAbi } from './abi';
import { formatDeclared, type CairoParameter } from './codec';
import { DecodingError, FeltReader } from './data';
import type { DeclaredEvent } from './eventTree';

/** An event as a contract emitted it, before it is decoded. */
interface EmittedEvent {
	readonly keys: readonly bigint[];
	readonly data: readonly bigint[];
}

interface DecodedEvent {
	readonly event: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/** Decodes an event. Returns undefined if it fits no event of the ABI. */
export type DecodeEvent = (emitted: EmittedEvent) => DecodedEvent | undefined;

/** Finds events by name, or by path such as `Erc20Event::Transfer`. Throws InvalidValue if there is none. */
export function findEvents({ events }: StarkAbi, wanted: string): readonly DeclaredEvent[] {
	const found = events.filter(({ name, path }) => name === wanted || path === wanted);
	if (found.length > 0) return found;
	const names = [...new Set(events.map(({ name }) => name))];
	throw new InvalidValue(
		names.length === 0
			? 'empty: the ABI of the contract has no events'
			: `an event of the contract, such as ${findNearestNames(wanted, names).join(', ')}`,
	);
}

/**
 * Whether the keys of an emitted event begin like those of one of the declared events. Its other contents are
 * ignored.
 */
export function hasKeysOf(events: readonly DeclaredEvent[], { keys }: EmittedEvent): boolean {
	return events.some(({ selectors }) => selectors.length > 0 && beginsWith(keys, selectors));
}

function beginsWith(keys: readonly bigint[], selectors: readonly bigint[]): boolean {
	return selectors.every((selector, index) => selector === keys[index]);
}

/** Makes a function that decodes events by the given declarations. The function parses their types only once. */
export function createEventDecoder(
	{ types }: StarkAbi,
	events: readonly DeclaredEvent[],
): DecodeEvent {
	const candidates = new Map<bigint | undefined, Candidate[]>();
	// Events with the longest path are tried first, because they are the most specific.
	const ordered = [...events].sort((a, b) => b.selectors.length - a.selectors.length);
	for (const event of ordered) {
		const [first] = event.selectors;
		candidates.set(first, [...(candidates.get(first) ?? []), new Candidate(types, event)]);
	}
	return (emitted) => {
		const fitting = [
			...(candidates.get(emitted.keys[0]) ?? []),
			...(candidates.get(undefined) ?? []),
		];
		for (const candidate of fitting) {
			const decoded = candidate.decode(emitted);
			if (decoded) return decoded;
		}
		return undefined;
	};
}

class Candidate {
	private parameters: readonly CairoParameter[] | InvalidValue | undefined;

	constructor(
		private readonly types: StarkAbi['types'],
		private readonly event: DeclaredEvent,
	) {}

	/** Decodes an event. Returns undefined unless the declaration uses up all keys and all data. */
	decode({ keys, data }: EmittedEvent): DecodedEvent | undefined {
		const { name, selectors, members } = this.event;
		if (!beginsWith(keys, selectors)) return undefined;
		this.parameters ??= catching(InvalidValue, () => this.types.getParameters(members));
		const { parameters } = this;
		if (parameters instanceof InvalidValue) return undefined;
		const args = catching(DecodingError, () =>
			decodeMembers(parameters, this.event, keys.slice(selectors.length), data),
		);
		return args instanceof DecodingError ? undefined : { event: name, args };
	}
}

function decodeMembers(
	parameters: readonly CairoParameter[],
	{ members }: DeclaredEvent,
	keys: readonly bigint[],
	data: readonly bigint[],
): Record<string, unknown> {
	const [keyReader, dataReader] = [new FeltReader(keys), new FeltReader(data)];
	const keyNames = new Set(members.filter(({ isKey }) => isKey).map(({ name }) => name));
	const values = parameters.map(({ name, type }) =>
		type.decode(keyNames.has(name) ? keyReader : dataReader),
	);
	keyReader.throwUnlessAtEnd();
	dataReader.throwUnlessAtEnd();
	return buildNamedValues(parameters, values);
}

/** Formats an event, as in `Transfer(from: ContractAddress key, to: ContractAddress key, value: u256)`. */
export function formatEventSignature({ name, members }: DeclaredEvent): string {
	const list = members.map((one) => `${formatDeclared(one)}${one.isKey ? ' key' : ''}`);
	return `${name}(${list.join(', ')})`;
}
