import {
	decodeBySelector,
	encodeFunctionData,
	parseFunction,
	type AbiFunction,
	type Parse,
	InvalidValue,
	raise,
} from '../../nodes/core';
import { formatAddress, parseAddress, type Address } from './addresses';
import type { Call } from './effects';
import { listAllowed, refuse } from './refusal';
import { EXPECTED_ENTRY, parseListText } from './ruleParser';

/** The contracts that may be called, each with its allowed functions. */
export interface AllowedContracts {
	/** Whether `*` is in the list. It allows every function of each contract that is not listed itself, except the account. */
	readonly any: boolean;
	readonly named: ReadonlyMap<Address, AllowedFunctions>;
}

/** The allowed functions by their selectors, or `all`. */
export type AllowedFunctions = ReadonlyMap<string, AllowedFunction> | 'all';

interface AllowedFunction {
	/** As its owner wrote it. */
	readonly name: string;
	/** The function whose arguments must have their canonical encoding; undefined if the arguments are not decoded. */
	readonly called?: AbiFunction;
}

export const ANY_CONTRACT = '*';
const SELECTOR_PATTERN = /^0x[0-9a-f]{8}$/i;

/** Parses a list of contracts. Functions may follow a contract's address on the same line. */
export const parseContracts: Parse<AllowedContracts> = (given) => {
	const text = parseListText(given);
	const entries = text.split('\n').flatMap((line) => splitEntries(splitWords(line)));
	if (text !== '' && entries.length === 0) throw new InvalidValue(EXPECTED_ENTRY);
	const named = new Map<Address, AllowedFunctions>();
	for (const { contract, functions } of entries) {
		if (contract === ANY_CONTRACT) continue;
		const known = named.get(contract);
		if (known && (known !== 'all' || functions !== 'all')) throw new InvalidValue(EXPECTED_ONCE);
		named.set(contract, functions);
	}
	return { any: entries.some(({ contract }) => contract === ANY_CONTRACT), named };
};

export const EXPECTED_ONCE =
	'a list that has each contract once, with all of its functions in one line';

/** Splits at commas and blanks, except between parentheses: `0x… f(address,uint256), 0x…`. */
function splitWords(line: string): string[] {
	const words: string[] = [''];
	let depth = 0;
	for (const character of line) {
		if (character === '(') depth++;
		if (character === ')') depth--;
		if (depth === 0 && /[\s,]/.test(character)) words.push('');
		else words.push(`${words.pop()}${character}`);
	}
	return words.filter((word) => word !== '');
}

interface Entry {
	readonly contract: Address;
	readonly functions: AllowedFunctions;
}

function splitEntries(words: readonly string[]): Entry[] {
	const starts = words.flatMap((word, at) => (isFunctionWord(word) ? [] : [at]));
	if (words.length > 0 && starts[0] !== 0) throw new InvalidValue(EXPECTED_FUNCTIONS);
	return starts.map((start, at) => {
		const functions = words.slice(start + 1, starts[at + 1]);
		return parseEntry(words[start] ?? '', functions);
	});
}

function isFunctionWord(word: string): boolean {
	return word.includes('(') || SELECTOR_PATTERN.test(word);
}

function parseEntry(contract: string, functions: readonly string[]): Entry {
	if (contract === ANY_CONTRACT) {
		return functions.length === 0
			? { contract, functions: 'all' }
			: raise(
					new InvalidValue(
						'a list without functions after *, because * allows all functions of each contract that is not in the list. Write each function after the address of its contract',
					),
				);
	}
	return {
		contract: parseAddress(contract),
		functions: functions.length === 0 ? 'all' : parseFunctions(functions),
	};
}

/**
 * Parses the functions of a contract. If a function is listed by selector and by signature, the signature is kept, because it allows less.
 */
function parseFunctions(words: readonly string[]): AllowedFunctions {
	const functions = words.map(parseAllowedFunction);
	const signatures = functions.filter(([, { called }]) => called !== undefined);
	return new Map([...functions, ...signatures]);
}

const EXPECTED_FUNCTIONS =
	'a list in which functions come after the address of their contract, in its line: signatures such as transfer(address,uint256), or selectors such as 0xa9059cbb';

/** The names of functions that call other functions. The rules cannot check what such a call does. */
const CALLING_NAMES_PATTERN = /^_*(try)?(multicall|execute|exec|aggregate|batch|fallback|receive)/i;

function parseAllowedFunction(word: string): readonly [string, AllowedFunction] {
	const selector = word.toLowerCase();
	if (SELECTOR_PATTERN.test(word)) return [selector, { name: selector }];
	const called = parseFunction(word);
	if (!CALLING_NAMES_PATTERN.test(called.name)) {
		return [called.selector, { name: called.signature, called }];
	}
	throw new InvalidValue(
		`a list without ${called.signature}, because that function can call any other function. To allow the function, write its selector ${called.selector} instead`,
	);
}

const SELECTOR_CHARS = 10;

/** Returns the selector from the data of a call, which is 0x-hex. */
export function getSelector(data: string): string {
	return data.slice(0, SELECTOR_CHARS);
}

/** Whether the list has the contract together with this function. */
export function namesCall({ named }: AllowedContracts, { data, selector, to }: Call): boolean {
	const functions = named.get(to);
	if (functions === undefined || functions === 'all') return functions === 'all';
	const called = functions.get(selector)?.called;
	if (called && !decodeCanonical(called, data)) refuseUnclearCall(called);
	return functions.has(selector);
}

/** Whether the list allows the call. If the list names some functions of a contract, it allows no others, even if `*` is in the list. */
export function allowsCall(contracts: AllowedContracts, call: Call, isAnyMeant: boolean): boolean {
	return contracts.named.has(call.to) ? namesCall(contracts, call) : contracts.any && isAnyMeant;
}

/**
 * Decodes the arguments of a call. Returns undefined if the encoding is not canonical, because contracts read unusual encodings
 * differently.
 */
export function decodeCanonical(called: AbiFunction, data: string): readonly unknown[] | undefined {
	try {
		const values = decodeBySelector([called], data)?.values;
		return values && encodeFunctionData(called, values) === data ? values : undefined;
	} catch {
		return undefined;
	}
}

export function refuseUnclearCall({ signature }: AbiFunction): never {
	refuse(
		`The rules can't be checked: the call of ${signature} is not encoded in the one canonical way`,
		'Encode it again, without bytes at the end and with zeros before addresses.',
	);
}

/** Formats the contracts or functions that may be called. */
export function listAllowedCalls({ named }: AllowedContracts, to: Address): string {
	const functions = named.get(to);
	return functions === undefined || functions === 'all'
		? listAllowed([...named.keys()].map(formatAddress))
		: `${listAllowed(formatFunctions(functions))} of it`;
}

export function formatFunctions(functions: ReadonlyMap<string, AllowedFunction>): string[] {
	return [...functions.values()].map(({ name }) => name);
}
