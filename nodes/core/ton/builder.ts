import type { TonAccount } from './address';
import { InvalidValue } from '../values/parse';
import { Cell, MAX_CELL_BITS, MAX_CELL_REFERENCES } from './cell';
import { Slice } from './slice';

const MAX_CELL_BYTES = 128;
const MAX_COINS_BYTES = 15;

/** Writes a cell. */
export class CellBuilder {
	private readonly content = Buffer.alloc(MAX_CELL_BYTES);
	private readonly references: Cell[] = [];
	private bits = 0;

	get freeBits(): number {
		return MAX_CELL_BITS - this.bits;
	}

	get freeReferences(): number {
		return MAX_CELL_REFERENCES - this.references.length;
	}

	build(): Cell {
		const bytes = Buffer.from(this.content.subarray(0, Math.ceil(this.bits / 8)));
		const last = bytes.length - 1;
		if (this.bits % 8 > 0) bytes[last] = (bytes[last] ?? 0) | (0x80 >> this.bits % 8);
		return new Cell(bytes, 0, this.bits, [...this.references]);
	}

	storeUint(value: bigint | number, width: number): this {
		const whole = BigInt(value);
		if (whole < 0n || whole >> BigInt(width) !== 0n)
			throw new InvalidValue(`a number below 2^${width}`);
		this.requireRoom(width, 0);
		for (let left = width; left > 0; ) {
			const taken = left % 8 || 8;
			left -= taken;
			this.append(Number((whole >> BigInt(left)) & 0xffn) & (0xff >> (8 - taken)), taken);
		}
		return this;
	}

	storeBit(value: boolean): this {
		return this.storeUint(value ? 1 : 0, 1);
	}

	storeBytes(bytes: Uint8Array): this {
		this.requireRoom(8 * bytes.length, 0);
		for (const byte of bytes) this.append(byte, 8);
		return this;
	}

	/** Stores an amount as the count of its bytes, and then as few bytes as possible. */
	storeCoins(amount: bigint): this {
		const length = amount === 0n ? 0 : Math.ceil(amount.toString(16).length / 2);
		if (amount < 0n || length > MAX_COINS_BYTES)
			throw new InvalidValue('an amount below 2^120 in the smallest unit');
		return this.storeUint(length, 4).storeUint(amount, 8 * length);
	}

	/** None is an address, too. */
	storeAddress(account: TonAccount | null): this {
		if (account === null) return this.storeUint(0, 2);
		return this.storeUint(0b100, 3).storeUint(account.workchain, 8).storeBytes(account.hash);
	}

	storeReference(cell: Cell): this {
		this.requireRoom(0, 1);
		this.references.push(cell);
		return this;
	}

	storeMaybeReference(cell: Cell | null): this {
		return cell ? this.storeBit(true).storeReference(cell) : this.storeBit(false);
	}

	/** All that a cell holds. */
	storeContent(cell: Cell): this {
		return this.storeRest(new Slice(cell));
	}

	/** Stores the part of another cell that has not been read yet. */
	storeRest(slice: Slice): this {
		this.requireRoom(slice.remainingBits, slice.remainingReferences);
		while (slice.remainingBits > 0) {
			const taken = Math.min(8, slice.remainingBits);
			this.append(slice.loadNumber(taken), taken);
		}
		while (slice.remainingReferences > 0) this.references.push(slice.loadReference());
		return this;
	}

	private requireRoom(bits: number, references: number): void {
		if (bits > this.freeBits || references > this.freeReferences)
			throw new InvalidValue(
				'a value that fits into a cell (unit of data) of TON: at most 1023 bits, and references to 4 other cells',
			);
	}

	/** Up to 8 bits. */
	private append(value: number, width: number): void {
		const at = this.bits >> 3;
		const shifted = value << (16 - (this.bits & 7) - width);
		this.content[at] = (this.content[at] ?? 0) | (shifted >> 8);
		if (shifted & 0xff) this.content[at + 1] = shifted & 0xff;
		this.bits += width;
	}
}
