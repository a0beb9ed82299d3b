import { Answer } from '../chain/answer';
import { RequestFailure } from '../errors/requestFailure';
import { formatTonAddresses, parseTonAccount, type TonAccount } from './address';
import { parseExactInteger } from '../values/numbers';
import { isRecord, type Parse, InvalidValue } from '../values/parse';
import { parseCode } from './answer';
import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { bagParser, parseBag } from './bag/parse';
import { formatBag } from './bag/serialize';
import { formatExitCode, isSuccess } from './exitCodes';
import { Slice } from './slice';
import { raise } from '../errors/raise';

/** A value on the stack as the service writes it: an integer as 0x-hex, a cell or a slice as a bag in base64. */
export interface StackEntry {
	readonly type: 'num' | 'cell' | 'slice';
	readonly value: string;
}

const EXPECTED_ARGUMENT =
	'a whole number, or an object with one of address, cell and slice, such as { "address": "EQ…" }';
const INTEGER_PATTERN = /^-?\d+$|^0x[0-9a-f]+$/i;
/** An integer of the virtual machine has 256 bits and a sign. */
const MAX_INTEGER = 2n ** 256n;
const MAX_ARGUMENTS = 255;

/** Parses the arguments of a get-method, in their order. */
export const parseArguments: Parse<readonly StackEntry[]> = (given) => {
	const parseCells = bagParser();
	return Array.isArray(given) && given.length <= MAX_ARGUMENTS
		? given.map((one: unknown) => parseArgument(one, parseCells))
		: raise(new InvalidValue(`a JSON list of at most ${MAX_ARGUMENTS} arguments`));
};

function parseArgument(given: unknown, parseCells: Parse<Cell>): StackEntry {
	if (!isRecord(given)) return { type: 'num', value: formatHexInteger(parseInteger(given)) };
	const [[kind, value] = [], ...others] = Object.entries(given);
	if (others.length > 0) throw new InvalidValue(EXPECTED_ARGUMENT);
	if (kind === 'address') return { type: 'slice', value: encodeAddress(parseTonAccount(value)) };
	if (kind === 'cell' || kind === 'slice')
		return { type: kind, value: formatBag(parseCells(value)) };
	throw new InvalidValue(EXPECTED_ARGUMENT);
}

const parseInteger: Parse<bigint> = (given) => {
	const value = parseExactInteger(given, INTEGER_PATTERN, EXPECTED_ARGUMENT);
	return value < MAX_INTEGER && value >= -MAX_INTEGER
		? value
		: raise(new InvalidValue('a number from -2^256 to 2^256 - 1'));
};

function formatHexInteger(value: bigint): string {
	return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function encodeAddress(account: TonAccount): string {
	return formatBag(new CellBuilder().storeAddress(account).build());
}

/** A value that a get-method has returned, in a form that people can read. */
export type StackValue = number | string | null | readonly StackValue[];

/** The result of a get-method. A single value stands alone, and several values are in a list. */
export interface MethodResult {
	readonly result: StackValue;
	/**
	 * The values of `result` that are addresses may also be cells. Such a value is here as a bag of cells in base64, at
	 * the same place, and all other values are null. The property is missing if all would be null.
	 */
	readonly cell?: StackValue;
}

/** Reads the result of a get-method. If the method failed, the error gives its exit code. */
export function readMethodResult(
	json: unknown,
	formatAddress: FormatAccount = formatBounceable,
): MethodResult {
	const answer = Answer.parse('the result of a get-method', json);
	const exitCode = answer.read('exit_code', parseCode);
	if (!isSuccess(exitCode)) throw new MethodFailure(exitCode);
	const reading = { formatAddress, valuesLeft: MAX_VALUES };
	const entries = answer.readObjects('stack').map((one) => readTopEntry(one, reading));
	const cells = entries.map(({ cell }) => cell);
	return {
		result: unwrapOnly(entries.map(({ value }) => value)),
		...(cells.some((cell) => cell !== null) && { cell: unwrapOnly(cells) }),
	};
}

function unwrapOnly(values: readonly StackValue[]): StackValue {
	const [only = null] = values;
	return values.length === 1 ? only : values;
}

type FormatAccount = (account: TonAccount) => string;

/** A result with more values would hold up n8n. */
const MAX_VALUES = 10_000;

interface Reading {
	readonly formatAddress: FormatAccount;
	valuesLeft: number;
}

function formatBounceable(account: TonAccount): string {
	return formatTonAddresses(account).bounceable;
}

const NO_CODE = -13;

export class MethodFailure extends RequestFailure {
	constructor(exitCode: number) {
		super(`The get-method failed with ${formatExitCode(exitCode)}`, {
			description:
				exitCode === NO_CODE
					? 'There is no contract at this address.'
					: 'The contract ended with an exit code of failure.',
		});
	}
}

interface TopEntry {
	readonly value: StackValue;
	/** The cell in base64 if the value may have been a cell, and null if its type is certain. */
	readonly cell: string | null;
}

/**
 * Reads a value that is directly on the stack, and not in a tuple. Outside of tuples, the service reports a slice as a cell. So a cell that
 * holds only an address is taken for a slice.
 */
function readTopEntry(entry: Answer, reading: Reading): TopEntry {
	const { formatAddress } = reading;
	if (entry.read('type', String) !== 'cell')
		return { value: readEntry(entry, reading, 0), cell: null };
	countValue(entry, reading);
	const content = entry.read('value', parseBag);
	const cell = formatBag(content);
	const account = findOnlyAddress(content);
	return account === undefined
		? { value: cell, cell: null }
		: { value: account && formatAddress(account), cell };
}

/** Recursion that is deeper than this could overflow the stack of JavaScript. */
const MAX_STACK_DEPTH = 500;

function countValue(entry: Answer, reading: Reading): void {
	if (reading.valuesLeft-- === 0)
		entry.throwInvalid('type', `one of at most ${MAX_VALUES} values in the stack`, null);
}

function readEntry(entry: Answer, reading: Reading, depth: number): StackValue {
	countValue(entry, reading);
	const { formatAddress } = reading;
	const type = entry.read('type', String);
	if (type === 'num') return entry.read('value', parseResultInteger);
	if (type === 'cell') return formatBag(entry.read('value', parseBag));
	if (type === 'slice') return formatSlice(entry.read('value', parseBag), formatAddress);
	if (type === 'null') return null;
	if (type !== 'tuple' && type !== 'list')
		return entry.throwInvalid('type', 'num, cell, slice, tuple, list or null', type);
	if (depth >= MAX_STACK_DEPTH)
		return entry.throwInvalid('value', `nested at most ${MAX_STACK_DEPTH} levels deep`, type);
	const values = entry.readObjects('value').map((one) => readEntry(one, reading, depth + 1));
	// The service reports null as an empty list.
	return type === 'list' && values.length === 0 ? null : values;
}

const MAX_NUMBER_BITS = 48n;

/** Parses an integer. It becomes a number if it has at most 48 bits, and otherwise decimal text. */
const parseResultInteger: Parse<number | string> = (given) => {
	const text = typeof given === 'string' ? given : '';
	const [, sign, digits] = /^(-?)(0x[0-9a-f]{1,65}|\d{1,78})$/i.exec(text) ?? [];
	if (digits === undefined) throw new InvalidValue('an integer as 0x-hex');
	const value = sign ? -BigInt(digits) : BigInt(digits);
	const size = value < 0n ? -value : value;
	return size >> MAX_NUMBER_BITS === 0n ? Number(value) : String(value);
};

const NO_ADDRESS_BITS = 2;
const ADDRESS_BITS = 267;

/**
 * Formats a slice. A slice that holds only an address becomes the address, or null for the empty address. Any other
 * slice becomes a bag of cells in base64.
 */
function formatSlice(cell: Cell, formatAddress: FormatAccount): string | null {
	const account = findOnlyAddress(cell);
	return account === undefined ? formatBag(cell) : account && formatAddress(account);
}

/**
 * Finds the address that a cell contains. Returns null for the empty address, and undefined if the cell contains
 * anything else.
 */
function findOnlyAddress(cell: Cell): TonAccount | null | undefined {
	const isAddress =
		!cell.isExotic &&
		cell.references.length === 0 &&
		[NO_ADDRESS_BITS, ADDRESS_BITS].includes(cell.bits);
	return isAddress ? loadOnlyAddress(cell) : undefined;
}

function loadOnlyAddress(cell: Cell): TonAccount | null | undefined {
	const slice = new Slice(cell);
	const expectedTag = cell.bits === NO_ADDRESS_BITS ? 0b00 : 0b10;
	if (slice.loadNumber(2) !== expectedTag) return undefined;
	const hasAnycast = cell.bits === ADDRESS_BITS && slice.loadBit();
	return hasAnycast ? undefined : new Slice(cell).loadAddress();
}
