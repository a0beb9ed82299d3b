import type { Context, ContractClass } from './contract.mts';
import { decodeByteArray, decodeShortString, encodeShortString, toHex } from './felts.mts';
import { type AbiEntry, NotOfItsType, skipValue } from './types.mts';

/** The storage of all contracts. The key is the address of a contract and a name. */
export type World = ReadonlyMap<string, bigint>;

export type Classes = ReadonlyMap<bigint, ContractClass>;

export const getClassKey = (address: bigint) => `${toHex(address)}/class`;
export const getNonceKey = (address: bigint) => `${toHex(address)}/nonce`;

export interface Call {
	to: bigint;
	selector: bigint;
	calldata: bigint[];
}

/** A function of a contract that was run. */
export interface Frame {
	contract: bigint;
	classHash: bigint;
	selector: bigint;
}

export interface Event {
	order: number;
	keys: bigint[];
	data: bigint[];
}

export interface Invocation extends Frame {
	calldata: bigint[];
	caller: bigint;
	callType: 'CALL' | 'LIBRARY_CALL' | 'DELEGATE';
	result: bigint[];
	calls: Invocation[];
	events: Event[];
	isReverted: boolean;
}

/** The reason why a call failed: `felts` from Cairo 1, or `words` from Cairo 0 or from the chain itself. */
export class Panic extends Error {
	readonly felts: readonly bigint[];
	readonly words: string | undefined;
	/** The functions that the failure passed through, the outermost first. */
	readonly frames: readonly Frame[];
	readonly isMissing: boolean;

	constructor(
		felts: readonly bigint[],
		options: { words?: string | undefined; frames?: readonly Frame[]; isMissing?: boolean } = {},
	) {
		super('panic');
		this.felts = felts;
		this.words = options.words;
		this.frames = options.frames ?? [];
		this.isMissing = options.isMissing ?? false;
	}
}

/** Creates a panic of Cairo 1 from short texts. */
export const createPanicError = (...texts: string[]) => new Panic(texts.map(encodeShortString));

/** Creates a refusal of Cairo 0, whose reason is a text. */
export const createRefusalError = (words: string) =>
	new Panic([], { words: `Error message: ${words}` });

export interface Usage {
	calls: number;
	felts: number;
	writes: number;
	events: number;
}

export interface Run {
	invocation: Invocation;
	changes: Map<string, bigint>;
	usage: Usage;
}

const ENTRYPOINT_FAILED = encodeShortString('ENTRYPOINT_FAILED');

/** Calls that are nested deeper than this are refused, as on the real chain. */
const MAX_DEPTH = 50;

/** Runs a function without changing the given state. The result contains the changes. */
export function runCall(call: Call, world: World, classes: Classes, caller = 0n): Run {
	const changes = new Map<string, bigint>();
	const usage = { calls: 0, felts: 0, writes: 0, events: 0 };
	const read = (key: string) => changes.get(key) ?? world.get(key) ?? 0n;

	function enter(
		{ to, selector, calldata }: Call,
		from: bigint,
		code: { classHash: bigint; callType: Invocation['callType'] },
		depth: number,
	): Invocation {
		const { classHash, callType } = code;
		const invocation: Invocation = {
			contract: to,
			classHash,
			selector,
			calldata,
			caller: from,
			callType,
			result: [],
			calls: [],
			events: [],
			isReverted: false,
		};
		usage.calls += 1;
		usage.felts += calldata.length;
		try {
			if (depth > MAX_DEPTH) throw new Panic([], { words: 'RecursionLimitExceeded' });
			invocation.result = execute(invocation, createContext(invocation, depth));
		} catch (error) {
			if (!(error instanceof Panic)) throw error;
			const { felts, words, frames, isMissing } = error;
			const frame = { contract: to, classHash, selector };
			throw new Panic(felts, { words, frames: [frame, ...frames], isMissing });
		}
		return invocation;
	}

	function execute({ classHash, selector, calldata }: Invocation, context: Context): bigint[] {
		const found = classes.get(classHash);
		const known = found?.functions.get(selector);
		if (found && known) {
			const args = found.isSierra
				? splitArguments(known.entry, calldata, found.abi)
				: splitCairo0Arguments(known.entry, calldata, found.abi);
			return known.run(context, ...args);
		}
		if (found?.fallback) return found.fallback(context, selector, calldata);
		throw new Panic([encodeShortString('ENTRYPOINT_NOT_FOUND')], {
			words: `Entry point EntryPointSelector(${toHex(selector)}) not found in contract.`,
			isMissing: true,
		});
	}

	function createContext(invocation: Invocation, depth: number): Context {
		const { contract: self, caller: from } = invocation;
		const isSierra = classes.get(invocation.classHash)?.isSierra ?? false;
		const nest = (call: Call, from: bigint, code: Parameters<typeof enter>[2]) => {
			try {
				const nested = enter(call, from, code, depth + 1);
				invocation.calls.push(nested);
				return nested.result;
			} catch (error) {
				if (!(error instanceof Panic) || !isSierra) throw error;
				const { felts, words, frames } = error;
				throw new Panic([...felts, ENTRYPOINT_FAILED], { words, frames });
			}
		};
		return {
			self,
			caller: from,
			read: (key) => read(`${toHex(self)}/${key}`),
			write: (key, value) => {
				usage.writes += 1;
				changes.set(`${toHex(self)}/${key}`, value);
			},
			emit: (keys, data) => invocation.events.push({ order: usage.events++, keys, data }),
			call: (to, selector, calldata) =>
				nest({ to, selector, calldata }, self, { classHash: findClass(to), callType: 'CALL' }),
			getClassHash: findClass,
			callLibrary: (classHash, selector, calldata) =>
				nest({ to: self, selector, calldata }, from, {
					classHash,
					callType: isSierra ? 'LIBRARY_CALL' : 'DELEGATE',
				}),
		};
	}

	function findClass(address: bigint): bigint {
		const classHash = read(getClassKey(address));
		if (classHash !== 0n) return classHash;
		const words = `Requested contract address ${toHex(address)} is not deployed.`;
		throw new Panic([encodeShortString('CONTRACT_NOT_DEPLOYED')], { words });
	}

	const code = { classHash: findClass(call.to), callType: 'CALL' } as const;
	return { invocation: enter(call, caller, code, 0), changes, usage };
}

function splitArguments(entry: AbiEntry, calldata: bigint[], abi: AbiEntry[]): bigint[][] {
	let at = 0;
	const args = (entry.inputs ?? []).map(({ type }, index) => {
		try {
			const end = skipValue(type, calldata, at, abi);
			const felts = calldata.slice(at, end);
			at = end;
			return felts;
		} catch (error) {
			if (!(error instanceof NotOfItsType)) throw error;
			throw createPanicError(`Failed to deserialize param #${index + 1}`);
		}
	});
	if (at < calldata.length) throw createPanicError('Input too long for arguments');
	return args;
}

/**
 * Splits the calldata into the arguments of a function. In Cairo 0, the argument before a list is the length of the
 * list.
 */
function splitCairo0Arguments(entry: AbiEntry, calldata: bigint[], abi: AbiEntry[]): bigint[][] {
	let [at, length] = [0, 0];
	const args = (entry.inputs ?? []).map(({ type }) => {
		const inner = type.replace(/\*$/, '');
		const count = inner === type ? 1 : length;
		const start = at;
		try {
			for (let index = 0; index < count; index++) at = skipValue(inner, calldata, at, abi);
		} catch (error) {
			if (!(error instanceof NotOfItsType)) throw error;
			throw new Panic([], { words: 'An ASSERT_EQ instruction failed: 3 != 4.' });
		}
		const felts = calldata.slice(start, at);
		length = Number(felts[0] ?? 0n);
		return felts;
	});
	if (at === calldata.length) return args;
	throw new Panic([], { words: `An ASSERT_EQ instruction failed: ${at} != ${calldata.length}.` });
}

/** Lists all events of an invocation and of the invocations below it, in the order in which they were emitted. */
export function listEvents(invocation: Invocation): (Event & { from: bigint })[] {
	const own = invocation.events.map((event) => ({ ...event, from: invocation.contract }));
	return [...own, ...invocation.calls.flatMap(listEvents)].sort((a, b) => a.order - b.order);
}

const BYTE_ARRAY_MAGIC = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;

/**
 * Formats a failure as nodes print it: a single felt stands alone, and several stand in parentheses. Newer nodes put
 * longer texts in quotes.
 */
export function formatReason({ felts, words }: Panic, areTextsQuoted: boolean): string {
	if (words !== undefined) return words;
	const parts: string[] = [];
	for (let at = 0; at < felts.length; at++) {
		const isText = areTextsQuoted && felts[at] === BYTE_ARRAY_MAGIC;
		const text = isText ? decodeByteArray(felts.slice(at + 1)) : undefined;
		if (text) at += text.size;
		parts.push(text ? JSON.stringify(text.text) : formatFelt(felts[at]!));
	}
	return parts.length === 1 ? parts[0]! : `(${parts.join(', ')})`;
}

function formatFelt(felt: bigint): string {
	const text = decodeShortString(felt);
	return text === undefined ? toHex(felt) : `${toHex(felt)} ('${text}')`;
}

/** Creates a panic whose message is longer than a felt. */
export const createTextPanicError = (felts: readonly bigint[]) =>
	new Panic([BYTE_ARRAY_MAGIC, ...felts]);
