import type { TonAccount } from './address';
import { Cell } from './cell';
import { HASH_BYTES, unreadableCellError } from './exotic';
import { raise } from '../errors/raise';

const MAX_NUMBER_BITS = 48;
const ADDRESS_TAG_NONE = 0b00;
const ADDRESS_TAG_STANDARD = 0b10;

/** Reads the bits and references of a cell, one after another. Throws InvalidValue if the cell ends too early. */
export class Slice {
	private at = 0;
	private nextReference = 0;

	constructor(private readonly cell: Cell) {
		if (cell.isExotic) throw unreadableCellError('one is exotic where data is wanted');
	}

	get remainingBits(): number {
		return this.cell.bits - this.at;
	}

	get remainingReferences(): number {
		return this.cell.references.length - this.nextReference;
	}

	get isAtEnd(): boolean {
		return this.remainingBits === 0 && this.remainingReferences === 0;
	}

	/** Up to 48 bits. */
	loadNumber(width: number): number {
		if (width > this.remainingBits) throw unreadableCellError('one ends too early');
		let value = 0;
		for (let left = width; left > 0; ) {
			const offset = this.at & 7;
			const taken = Math.min(8 - offset, left);
			const byte = this.cell.bytes[this.cell.start + (this.at >> 3)] ?? 0;
			value = value * 2 ** taken + ((byte >> (8 - offset - taken)) & (0xff >> (8 - taken)));
			this.at += taken;
			left -= taken;
		}
		return value;
	}

	loadUint(width: number): bigint {
		let value = 0n;
		for (let left = width; left > 0; ) {
			const taken = Math.min(MAX_NUMBER_BITS, left);
			value = (value << BigInt(taken)) | BigInt(this.loadNumber(taken));
			left -= taken;
		}
		return value;
	}

	loadBit(): boolean {
		return this.loadNumber(1) === 1;
	}

	loadBytes(count: number): Buffer {
		if (8 * count > this.remainingBits) throw unreadableCellError('one ends too early');
		const bytes = Buffer.alloc(count);
		for (let index = 0; index < count; index++) bytes[index] = this.loadNumber(8);
		return bytes;
	}

	loadCoins(): bigint {
		return this.loadUint(8 * this.loadNumber(4));
	}

	/** Null for none. */
	loadAddress(): TonAccount | null {
		const tag = this.loadNumber(2);
		if (tag === ADDRESS_TAG_NONE) return null;
		if (tag !== ADDRESS_TAG_STANDARD || this.loadBit())
			throw unreadableCellError('an address is of a kind that accounts do not have');
		return { workchain: this.loadNumber(8), hash: this.loadBytes(HASH_BYTES), isTestOnly: false };
	}

	loadReference(): Cell {
		return (
			this.cell.references[this.nextReference++] ??
			raise(unreadableCellError('a reference is missing'))
		);
	}

	loadMaybeReference(): Cell | null {
		return this.loadBit() ? this.loadReference() : null;
	}
}
