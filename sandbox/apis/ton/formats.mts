import { type Address, type Cell, ExternalAddress } from '@ton/core';
import type { Maybe } from '@ton/core/dist/utils/maybe.js';

/** Formats an address in the raw form and in upper case. Returns null if there is no address. */
export function formatAddress(address: Maybe<Address | ExternalAddress>): string | null {
	return !address || address instanceof ExternalAddress ? null : formatRaw(address.toRawString());
}

export const formatRaw = (raw: string): string => raw.toUpperCase();

/** Formats a hash that is given as a number. */
export const formatNumberHash = (hash: bigint): string =>
	Buffer.from(hash.toString(16).padStart(64, '0'), 'hex').toString('base64');

export const formatBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const formatCell = (cell: Maybe<Cell>): string | null =>
	cell ? cell.toBoc().toString('base64') : null;

export const formatCellHash = (cell: Maybe<Cell>): string | null =>
	cell ? cell.hash().toString('base64') : null;

/** Formats the opcode of a body as `0x` and eight digits. Returns null if the body is too short to have an opcode. */
export function formatOpcode(body: Cell): string | null {
	const slice = body.beginParse(true);
	if (slice.remainingBits < 32) return null;
	return `0x${slice.loadUint(32).toString(16).padStart(8, '0')}`;
}

/** Removes the fields that are undefined, because the service leaves out fields that do not apply. */
export const omitAbsent = <T extends object>(fields: T): T =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
