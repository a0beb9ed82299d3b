import { mapWithPauses } from '../../net/pacing/slices';
import { estimateJsonChars, parseJsonIfValid } from '../../values/json';
import { isBlank, isRecord, type Parse, InvalidValue } from '../../values/parse';
import { withKeys } from '../../values/namedValues';
import { buildTupleCodec, type AbiParameter } from './composed';
import { getElementaryCodec, invalidAbiError, type AbiCodec } from './elementary';
import {
	checkEntry,
	hashEntry,
	parseItemOrProblem,
	type AbiConstructor,
	type AbiError,
	type AbiEvent,
	type AbiFunction,
	type AbiItem,
	type CheckedEntry,
	type ParsedAbiItem,
	type AbiItemKind,
	type InvalidAbiItem,
} from './entry';
import { increaseDepth, parseListSuffixes } from './parameters';
import { parseSignatures } from './signatures';
import { VIEW_WORDS } from './declarations';
import { TokenStream, tokenize } from './lexer';
import { raise } from '../../errors/raise';

export interface Abi {
	readonly functions: readonly AbiFunction[];
	/** `constructors` has at most one entry, because a contract has at most one constructor. */
	readonly constructors: readonly AbiConstructor[];
	readonly events: readonly AbiEvent[];
	readonly errors: readonly AbiError[];
	readonly invalidItems: readonly InvalidAbiItem[];
}

/** Limits what is parsed, because too many entries or too many characters of signatures would block n8n. */
interface AbiLimits {
	readonly entries: number;
	readonly signatureChars: number;
}

const AT_ONCE: AbiLimits = { entries: 2500, signatureChars: 300_000 };
const WITH_PAUSES: AbiLimits = { entries: 5000, signatureChars: 1_000_000 };
const MAX_JSON_CHARS = 10_000_000;

const EXPECTED_ABI = {
	function: 'a function, such as balanceOf(address owner) view returns (uint256), or a JSON ABI',
	event:
		'an event, such as Transfer(address indexed from, address indexed to, uint256 value), or a JSON ABI',
	error: 'an error, such as Denied(address who), or a JSON ABI',
	constructor: 'a constructor, such as constructor(string name), or a JSON ABI',
} as const satisfies Record<AbiItemKind, string>;

const ITEM_LISTS = {
	function: 'functions',
	constructor: 'constructors',
	event: 'events',
	error: 'errors',
} as const;

/**
 * Parses signatures or a JSON ABI, and requires an entry of `kind`. A signature without a keyword counts as an entry of
 * `kind`.
 */
export function abiParser(kind: AbiItemKind): Parse<Abi> {
	return (given) => {
		if (isBlank(given)) throw new InvalidValue(EXPECTED_ABI[kind]);
		const abi = anyAbiParser(kind)(given);
		if (abi[ITEM_LISTS[kind]].length > 0) return abi;
		const unread = abi.invalidItems.find((one) => one.kind === kind);
		// A contract may have no constructor, so an ABI with functions or events is accepted without one.
		const isOtherwiseUsed = abi.functions.length + abi.events.length > 0;
		if (kind === 'constructor' && !unread && isOtherwiseUsed) return abi;
		throw new InvalidValue(unread?.problem ?? EXPECTED_ABI[kind]);
	};
}

/** Parses an ABI as `abiParser` does, but accepts an ABI without an entry of `kind`. */
export function anyAbiParser(kind: AbiItemKind): Parse<Abi> {
	return (given) => {
		const found = isBlank(given) ? [] : parseAbiItems(given, kind);
		return buildAbi(found, selectChecked(found, AT_ONCE).map(hashEntry));
	};
}

/** Limits the size of one entry of a JSON ABI, in characters. No real declaration is as long. */
const MAX_ENTRY_CHARS = 50_000;

/** Parses the entries of a JSON ABI from any source in slices, so that n8n can do other work meanwhile. */
export async function parseForeignAbi(entries: readonly JsonRecord[]): Promise<Abi> {
	throwIfMany(entries, WITH_PAUSES);
	const parsed = await mapWithPauses(entries, (one) =>
		estimateJsonChars(one, MAX_ENTRY_CHARS) <= MAX_ENTRY_CHARS
			? parseJsonItem(one)
			: raise(invalidAbiError('it has an entry that is too large')),
	);
	const found = parsed.flat();
	return buildAbi(found, await mapWithPauses(selectChecked(found, WITH_PAUSES), hashEntry));
}

function selectChecked(found: readonly ParsedAbiItem[], limits: AbiLimits): CheckedEntry[] {
	const checked = withoutDuplicates(
		found.filter((one): one is CheckedEntry => !('problem' in one)),
	);
	throwIfLong(checked, limits);
	return checked;
}

function buildAbi(found: readonly ParsedAbiItem[], entries: readonly AbiItem[]): Abi {
	return {
		functions: entries.filter((entry) => entry.kind === 'function'),
		constructors: entries.filter((entry) => entry.kind === 'constructor'),
		events: entries.filter((entry) => entry.kind === 'event'),
		errors: entries.filter((entry) => entry.kind === 'error'),
		invalidItems: found.filter((one): one is InvalidAbiItem => 'problem' in one),
	};
}

function parseAbiItems(given: unknown, kind: AbiItemKind): ParsedAbiItem[] {
	if (typeof given === 'string') return parseAbiText(given, kind);
	if (Array.isArray(given)) {
		throwIfMany(given, AT_ONCE);
		const texts = given.filter((one): one is string => typeof one === 'string');
		const others = given.filter((one) => typeof one !== 'string');
		return [...parseSignatures(texts, kind), ...others.flatMap(parseJsonItem)];
	}
	const abi = isRecord(given) ? given.abi : undefined;
	const isArtifact = Array.isArray(abi) || typeof abi === 'string';
	return isArtifact ? parseAbiItems(abi, kind) : parseJsonItem(given);
}

function throwIfMany({ length }: readonly unknown[], { entries }: AbiLimits): void {
	if (length > entries) throw invalidAbiError(`it has more than ${entries} entries`);
}

/** Parses signatures or JSON. The JSON may also be a string that contains signatures or JSON. */
function parseAbiText(text: string, kind: AbiItemKind): ParsedAbiItem[] {
	if (!/^\s*[[{"]/.test(text)) return parseSignatures([text], kind);
	if (text.length > MAX_JSON_CHARS) throw invalidAbiError('it is too long');
	const value = parseJsonIfValid(text);
	return value === undefined
		? raise(invalidAbiError('it is not valid JSON'))
		: parseAbiItems(value, kind);
}

function parseJsonItem(given: unknown): ParsedAbiItem[] {
	if (!isRecord(given)) throw invalidAbiError('it has an entry that is neither text nor an object');
	const kind = findItemKind(given.type ?? 'function');
	return kind
		? [parseItemOrProblem(kind, getText(given.name), () => buildJsonItem(given, kind))]
		: [];
}

const ITEM_KINDS: readonly AbiItemKind[] = ['function', 'constructor', 'event', 'error'];

function findItemKind(type: unknown): AbiItemKind | undefined {
	return ITEM_KINDS.find((kind) => kind === type);
}

/** Removes duplicates, but keeps `Transfer` of ERC-20 and of ERC-721 apart, which differ only in their indexed arguments. */
function withoutDuplicates(entries: readonly CheckedEntry[]): CheckedEntry[] {
	const known = new Map<string, CheckedEntry>();
	for (const entry of entries) {
		const indexed = entry.inputs.map(({ isIndexed }) => (isIndexed ? 'i' : '-')).join('');
		const key = `${entry.kind} ${entry.signature} ${entry.kind === 'event' ? indexed : ''}`;
		if (!known.has(key)) known.set(key, entry);
	}
	return [...known.values()];
}

/** Throws if the signatures are too long to be hashed. Short texts with nested structs can have long signatures. */
function throwIfLong(entries: readonly CheckedEntry[], { signatureChars }: AbiLimits): void {
	const length = entries.reduce((sum, { signature }) => sum + signature.length, 0);
	if (length > signatureChars)
		throw invalidAbiError(`its signatures have more than ${signatureChars} characters in all`);
}

type JsonRecord = Readonly<Record<string, unknown>>;

const MAX_TYPE_CHARS = 200;

function buildJsonItem(given: JsonRecord, kind: AbiItemKind): CheckedEntry {
	return checkEntry({
		kind,
		name: kind === 'constructor' ? kind : getText(given.name),
		inputs: parseJsonParameters(given.inputs),
		outputs: parseJsonParameters(given.outputs),
		isPayable: parsePayable(given),
		isView: parseView(given),
		isAnonymous: given.anonymous === true,
	});
}

/** Compilers older than Solidity 0.5 write `payable` instead of `stateMutability`. */
function parsePayable({ stateMutability, payable: isPayable }: JsonRecord): boolean | undefined {
	if (typeof stateMutability === 'string') return stateMutability === 'payable';
	return typeof isPayable === 'boolean' ? isPayable : undefined;
}

/** Compilers older than Solidity 0.5 write `constant` instead of `stateMutability`. */
function parseView({ stateMutability, constant: isConstant }: JsonRecord): boolean | undefined {
	if (typeof stateMutability === 'string') return VIEW_WORDS.includes(stateMutability);
	return typeof isConstant === 'boolean' ? isConstant : undefined;
}

function parseJsonParameters(given: unknown, depth = 0): readonly AbiParameter[] {
	if (given === undefined || given === null) return [];
	if (!Array.isArray(given) || !given.every(isRecord))
		throw invalidAbiError('its inputs, outputs or components are not a list of objects');
	return withKeys(
		given.map((one) => ({
			name: getText(one.name),
			type: parseJsonType(one, depth),
			isIndexed: one.indexed === true,
		})),
	);
}

function parseJsonType(given: JsonRecord, depth: number): AbiCodec {
	const text = getText(given.type);
	if (text.length > MAX_TYPE_CHARS) throw invalidAbiError('it has a type that is too long');
	const tokens = new TokenStream(tokenize(text));
	const name = tokens.take().text;
	const within = increaseDepth(depth);
	const item =
		name === 'tuple'
			? buildTupleCodec(parseJsonParameters(given.components, within))
			: getElementaryCodec(name);
	const type = parseListSuffixes(tokens, item, within);
	return tokens.isAtEnd ? type : raise(invalidAbiError(`'${text}' is not an ABI type`));
}

function getText(given: unknown): string {
	return typeof given === 'string' ? given : '';
}
