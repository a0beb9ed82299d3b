import { tryParseJson } from '../values/json';
import { isBlank, isRecord, mustBe, type Read } from '../values/read';
import { abiTupleOf, keyed, type Parameter } from './composed';
import { elementary, invalidAbi, type AbiType } from './elementary';
import {
	checkEntry,
	hashEntry,
	orUnread,
	type AbiConstructor,
	type AbiError,
	type AbiEvent,
	type AbiFunction,
	type CheckedEntry,
	type Found,
	type Kind,
	type Unread,
} from './entry';
import { deeper, lists } from './parameters';
import { signatures } from './signatures';
import { Tokens, tokensOf } from './tokens';

export interface Abi {
	readonly functions: readonly AbiFunction[];
	/** At most one in an ABI of a contract. */
	readonly constructors: readonly AbiConstructor[];
	readonly events: readonly AbiEvent[];
	readonly errors: readonly AbiError[];
	readonly unread: readonly Unread[];
}

const MOST_ENTRIES = 5_000;
const LONGEST_JSON = 10_000_000;

const EXAMPLES = {
	function: 'a function, such as balanceOf(address owner) view returns (uint256), or a JSON ABI',
	event:
		'an event, such as Transfer(address indexed from, address indexed to, uint256 value), or a JSON ABI',
	error: 'an error, such as Denied(address who), or a JSON ABI',
	constructor: 'a constructor, such as constructor(string name), or a JSON ABI',
} as const satisfies Record<Kind, string>;

const LISTS = {
	function: 'functions',
	constructor: 'constructors',
	event: 'events',
	error: 'errors',
} as const;

/**
 * Human-readable signatures or a JSON ABI, as text or from an expression. At least one entry must be of this kind;
 * signatures without a keyword are.
 */
export function abiWith(kind: Kind): Read<Abi> {
	return (given) => {
		if (isBlank(given)) return mustBe(EXAMPLES[kind]);
		const abi = abiOf(kind)(given);
		if (abi[LISTS[kind]].length > 0) return abi;
		// A contract needs none.
		if (kind === 'constructor' && abi.functions.length + abi.events.length > 0) return abi;
		const unread = abi.unread.find((one) => one.kind === kind);
		return mustBe(unread?.problem ?? EXAMPLES[kind]);
	};
}

/** The same, where none needs to be of this kind. */
export function abiOf(kind: Kind): Read<Abi> {
	return (given) => {
		const found = isBlank(given) ? [] : entriesIn(given, kind);
		const checked = distinct(found.filter((one): one is CheckedEntry => !('problem' in one)));
		throwIfLong(checked);
		const entries = checked.map(hashEntry);
		return {
			functions: entries.filter((entry) => entry.kind === 'function'),
			constructors: entries.filter((entry) => entry.kind === 'constructor'),
			events: entries.filter((entry) => entry.kind === 'event'),
			errors: entries.filter((entry) => entry.kind === 'error'),
			unread: found.filter((one): one is Unread => 'problem' in one),
		};
	};
}

function entriesIn(given: unknown, bare: Kind): Found[] {
	if (typeof given === 'string') return entriesInText(given, bare);
	if (Array.isArray(given)) {
		if (given.length > MOST_ENTRIES) return invalidAbi(`it has more than ${MOST_ENTRIES} entries`);
		const texts = given.filter((one): one is string => typeof one === 'string');
		const others = given.filter((one) => typeof one !== 'string');
		return [...signatures(texts, bare), ...others.flatMap(entryIn)];
	}
	const abi = isRecord(given) ? given.abi : undefined;
	const isArtifact = Array.isArray(abi) || typeof abi === 'string';
	return isArtifact ? entriesIn(abi, bare) : entryIn(given);
}

/** JSON may hold the text of JSON. */
function entriesInText(text: string, bare: Kind): Found[] {
	if (!/^\s*[[{"]/.test(text)) return signatures([text], bare);
	if (text.length > LONGEST_JSON) return invalidAbi('it is too long');
	const value = tryParseJson(text);
	return value === undefined ? invalidAbi('it is not valid JSON') : entriesIn(value, bare);
}

function entryIn(given: unknown): Found[] {
	if (!isRecord(given)) return invalidAbi('it has an entry that is neither text nor an object');
	const kind = kindOf(given.type ?? 'function');
	return kind ? [orUnread(kind, textOf(given.name), () => jsonEntry(given, kind))] : [];
}

const KINDS: readonly Kind[] = ['function', 'constructor', 'event', 'error'];

function kindOf(type: unknown): Kind | undefined {
	return KINDS.find((kind) => kind === type);
}

/** ERC-20 and ERC-721 Transfer differ only in what is indexed. */
function distinct(entries: readonly CheckedEntry[]): CheckedEntry[] {
	const known = new Map<string, CheckedEntry>();
	for (const entry of entries) {
		const indexed = entry.inputs.map(({ isIndexed }) => (isIndexed ? 'i' : '-')).join('');
		const key = `${entry.kind} ${entry.signature} ${entry.kind === 'event' ? indexed : ''}`;
		if (!known.has(key)) known.set(key, entry);
	}
	return [...known.values()];
}

/** Structs of structs make long signatures of short texts, and each is hashed. */
const MAX_SIGNATURE_CHARS = 1_000_000;

function throwIfLong(entries: readonly CheckedEntry[]): void {
	const length = entries.reduce((sum, { signature }) => sum + signature.length, 0);
	if (length > MAX_SIGNATURE_CHARS)
		invalidAbi(`its signatures have more than ${MAX_SIGNATURE_CHARS} characters in all`);
}

type Given = Readonly<Record<string, unknown>>;

const LONGEST_TYPE = 200;

function jsonEntry(given: Given, kind: Kind): CheckedEntry {
	return checkEntry({
		kind,
		name: kind === 'constructor' ? kind : textOf(given.name),
		inputs: parameters(given.inputs),
		outputs: parameters(given.outputs),
		isPayable: payable(given),
		isAnonymous: given.anonymous === true,
	});
}

/** Compilers before 0.5 say `payable` instead. */
function payable({ stateMutability, payable: isPayable }: Given): boolean | undefined {
	if (typeof stateMutability === 'string') return stateMutability === 'payable';
	return typeof isPayable === 'boolean' ? isPayable : undefined;
}

function parameters(given: unknown, depth = 0): readonly Parameter[] {
	if (given === undefined || given === null) return [];
	if (!Array.isArray(given) || !given.every(isRecord))
		return invalidAbi('its inputs, outputs or components are not a list of objects');
	return keyed(
		given.map((one) => ({
			name: textOf(one.name),
			type: typeOf(one, depth),
			isIndexed: one.indexed === true,
		})),
	);
}

function typeOf(given: Given, depth: number): AbiType {
	const text = textOf(given.type);
	if (text.length > LONGEST_TYPE) return invalidAbi('it has a type that is too long');
	const tokens = new Tokens(tokensOf(text));
	const name = tokens.take().text;
	const within = deeper(depth);
	const item =
		name === 'tuple' ? abiTupleOf(parameters(given.components, within)) : elementary(name);
	const type = lists(tokens, item, within);
	return tokens.isAtEnd ? type : invalidAbi(`'${text}' is not an ABI type`);
}

function textOf(given: unknown): string {
	return typeof given === 'string' ? given : '';
}
