import { parseJsonIfValid } from '../../values/json';
import { isRecord, type Parse, InvalidValue } from '../../values/parse';
import { invalidAbiError, type Declared } from './codec';
import {
	buildEvents,
	type DeclaredEvent,
	type DeclaredPart,
	type EventDeclaration,
} from './eventTree';
import { CairoTypes, type DeclaredType } from './types';
import { raise } from '../../errors/raise';

/** A function as an ABI declares it. The types of its parameters are parsed only when the function is used. */
export interface DeclaredFunction {
	readonly name: string;
	readonly isView: boolean;
	readonly inputs: readonly Declared[];
	readonly outputs: readonly Declared[];
}

/** The functions and events that an ABI declares. Nobody checks whether they match the contract. */
export interface StarkAbi {
	readonly functions: readonly DeclaredFunction[];
	readonly events: readonly DeclaredEvent[];
	readonly types: CairoTypes;
}

/** Ten times the size of the ABI of the largest contracts. */
const MAX_ABI_CHARS = 5_000_000;
const MAX_ABI_ENTRIES = 20_000;
/** No compiler writes names or types that are longer. */
const MAX_NAME_CHARS = 1_000;

type AbiEntry = Readonly<Record<string, unknown>>;

/**
 * Parses the ABI of a class. It is JSON text (Cairo 1 and later), a list (Cairo 0), or an object that holds either as
 * `abi`.
 */
export const parseStarkAbi: Parse<StarkAbi> = (given) => {
	const entries = parseEntries(given);
	if (entries.length > MAX_ABI_ENTRIES)
		throw invalidAbiError(`it has more than ${MAX_ABI_ENTRIES} entries`);
	const flat = entries.filter(isRecord).flatMap(flattenInterface);
	if (flat.length > MAX_ABI_ENTRIES)
		throw invalidAbiError(`it has more than ${MAX_ABI_ENTRIES} entries`);
	return {
		functions: dropRepeatedNames(
			flat.filter(({ type }) => type === 'function').flatMap(parseFunction),
		),
		events: buildEvents(flat.filter(({ type }) => type === 'event').flatMap(parseEvent)),
		types: new CairoTypes(new Map(flat.flatMap(parseDeclaredType))),
	};
};

function parseEntries(given: unknown): readonly unknown[] {
	if (Array.isArray(given)) return given as unknown[];
	if (isRecord(given) && 'abi' in given && given.abi !== given) return parseEntries(given.abi);
	if (typeof given !== 'string') throw new InvalidValue(EXPECTED_ABI);
	if (given.length > MAX_ABI_CHARS)
		throw invalidAbiError(`it has more than ${MAX_ABI_CHARS} characters`);
	const parsed = parseJsonIfValid(given);
	return typeof parsed === 'object' && parsed !== null
		? parseEntries(parsed)
		: raise(new InvalidValue(EXPECTED_ABI));
}

const EXPECTED_ABI = 'the JSON ABI of a contract: a list of its functions, events and types';

function flattenInterface(entry: AbiEntry): AbiEntry[] {
	return entry.type === 'interface' && Array.isArray(entry.items)
		? entry.items.filter(isRecord)
		: [entry];
}

/** Keeps the first of several functions of the same name, because a contract has only one entry point for a name. */
function dropRepeatedNames(functions: readonly DeclaredFunction[]): DeclaredFunction[] {
	const known = new Map<string, DeclaredFunction>();
	for (const one of functions) if (!known.has(one.name)) known.set(one.name, one);
	return [...known.values()];
}

/** Parses a function of an ABI. A malformed entry is left out, because the rest of the ABI may be of use. */
function parseFunction(entry: AbiEntry): DeclaredFunction[] {
	const { name, inputs, outputs, state_mutability: newer, stateMutability: older } = entry;
	if (!isName(name)) return [];
	const isView = newer === 'view' || older === 'view';
	return [{ name, isView, inputs: parseMembers(inputs), outputs: parseMembers(outputs) }];
}

function parseDeclaredType(entry: AbiEntry): Array<[string, DeclaredType]> {
	const { type: kind, name, members, variants } = entry;
	if ((kind !== 'struct' && kind !== 'enum') || !isShortText(name)) return [];
	return [[name, { kind, members: parseMembers(kind === 'struct' ? members : variants) }]];
}

function parseEvent(entry: AbiEntry): EventDeclaration[] {
	const { name, kind } = entry;
	if (!isShortText(name)) return [];
	if (kind === 'enum') return [{ name, variants: parseParts(entry.variants) }];
	if (kind === 'struct') {
		const parts = parseParts(entry.members);
		return [{ name, members: parts.map((one) => ({ ...one, isKey: one.kind === 'key' })) }];
	}
	const keys = parseMembers(entry.keys).map((one) => ({ ...one, isKey: true }));
	const data = parseMembers(entry.data ?? entry.inputs).map((one) => ({ ...one, isKey: false }));
	return [{ name, members: [...keys, ...data] }];
}

function parseParts(given: unknown): DeclaredPart[] {
	const list: unknown[] = Array.isArray(given) ? given : [];
	return list.filter(isRecord).flatMap((one) => {
		const [member] = parseMembers([one]);
		return member ? [{ ...member, kind: one.kind }] : [];
	});
}

/**
 * Parses the members of a declaration. A name or type that is not a text is replaced, and a type `?` can never be
 * decoded.
 */
function parseMembers(given: unknown): Declared[] {
	const list: unknown[] = Array.isArray(given) ? given : [];
	return list.filter(isRecord).map(({ name, type }) => ({
		name: isShortText(name) ? name : '',
		type: isShortText(type) ? type : '?',
	}));
}

function isShortText(given: unknown): given is string {
	return typeof given === 'string' && given.length <= MAX_NAME_CHARS;
}

function isName(given: unknown): given is string {
	return isShortText(given) && /^\w+$/.test(given);
}
