import { beginCell, type Cell, type TupleItem } from '@ton/core';
import { ApiError, parseAddress, parseCell, throwMissing, throwUnreadable } from './parameters.mts';
import { runMethod } from './machine.mts';
import type { TonLedger } from './ledger.mts';

export interface MethodBody {
	readonly address?: unknown;
	readonly method?: unknown;
	readonly stack?: unknown;
}

const NO_CODE = -13;

/** Runs a get-method. A failed run has an exit code other than 0 and still gets HTTP status 200. */
export async function runGetMethod(ledger: TonLedger, body: MethodBody): Promise<object> {
	const address = requireText('address', body.address);
	const method = requireText('method', body.method);
	const account = ledger.getAccount(parseAddress('address', address).toRawString());
	const stack = parseStack(body.stack ?? []);
	const result = account && (await runMethod(account, getMethodId(method), stack, ledger.now));
	if (!result) return { gas_used: 0, exit_code: NO_CODE, stack: [] };
	const { gasUsed, exitCode } = result;
	return { gas_used: gasUsed, exit_code: exitCode, stack: result.stack.map(formatTopItem) };
}

export function requireText(key: string, given: unknown): string {
	if (given === undefined || given === '') return throwMissing(key);
	return typeof given === 'string' ? given : throwUnreadable(`${key} is no text`);
}

/** Returns the id of a get-method. A method can be named by its id as text. */
export function getMethodId(method: string): number {
	if (/^\d{1,9}$/.test(method)) return Number(method);
	return (computeCrc16(Buffer.from(method)) & 0xffff) | 0x1_0000;
}

function computeCrc16(bytes: Uint8Array): number {
	return bytes.reduce((before, byte) => {
		let crc = before ^ (byte << 8);
		for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
		return crc & 0xffff;
	}, 0);
}

function parseStack(given: unknown): TupleItem[] {
	return Array.isArray(given) ? given.map(parseItem) : throwUnreadable('stack is no list');
}

function parseItem(given: { type?: unknown; value?: unknown } | null): TupleItem {
	const { type, value } = given ?? {};
	if (typeof value !== 'string') throw new ApiError(500, 'a stack entry has no value');
	if (type === 'num') return { type: 'int', value: parseNumber(value) };
	if (type === 'cell' || type === 'slice') return { type, cell: parseCell(value) };
	throw new ApiError(500, `unsupported stack entry type: ${String(type)}`);
}

export function parseNumber(text: string): bigint {
	const [, sign, digits] = /^(-?)(0x[0-9a-f]+|\d+)$/i.exec(text) ?? [];
	if (digits === undefined)
		throw new ApiError(500, `stack entry is no number: ${text.slice(0, 100)}`);
	return sign ? -BigInt(digits) : BigInt(digits);
}

/**
 * Formats an item of the stack. The service asks an older API, which calls a slice and a builder a cell, except within
 * tuples.
 */
const formatTopItem = (item: TupleItem): object =>
	formatItem(
		item.type === 'slice' || item.type === 'builder' ? { type: 'cell', cell: item.cell } : item,
	);

/** Formats an item of the stack. A null of the virtual machine becomes an empty list. */
function formatItem(item: TupleItem): object {
	switch (item.type) {
		case 'int':
			return { type: 'num', value: formatNumber(item.value) };
		case 'nan':
			return { type: 'num', value: 'NaN' };
		case 'null':
			return { type: 'list', value: [] };
		case 'tuple':
			return { type: 'tuple', value: item.items.map(formatItem) };
		default:
			return { type: item.type, value: formatContent(item.cell) };
	}
}

export const formatNumber = (value: bigint) =>
	value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;

const formatContent = (cell: Cell) =>
	beginCell().storeSlice(cell.beginParse(true)).endCell().toBoc().toString('base64');
