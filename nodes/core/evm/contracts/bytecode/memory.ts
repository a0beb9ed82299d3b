import { createWord, getBytes, UNKNOWN_BYTE, WORD_BYTES, type Word } from './words';

/** How many bytes of a contract's memory are kept. The code that chooses a function uses only the first words. */
const KNOWN_BYTES = 512;

/** The beginning of a contract's memory. Its bytes have the same form as those of words. */
export class Memory {
	private constructor(private readonly bytes: Int16Array) {}

	static create(): Memory {
		return new Memory(new Int16Array(KNOWN_BYTES));
	}

	copy(): Memory {
		return new Memory(this.bytes.slice());
	}

	load(at: Word): Word {
		const start = toIndex(at);
		if (start === undefined || start + WORD_BYTES > KNOWN_BYTES) return 'unknown';
		return createWord([...this.bytes.subarray(start, start + WORD_BYTES)]);
	}

	store(at: Word, word: Word): void {
		const bytes = getBytes(word);
		this.fill(at, BigInt(WORD_BYTES), (index) => bytes[index] ?? UNKNOWN_BYTE);
	}

	/** Writes bytes to memory. Bytes behind the known part of the memory are not computed. */
	fill(at: Word, length: Word, getByte: (index: number) => number): void {
		const start = toIndex(at);
		if (start === undefined) return;
		const most = KNOWN_BYTES - start;
		const count = Math.min(typeof length === 'bigint' ? Number(length) : most, most);
		for (let index = 0; index < count; index++) this.bytes[start + index] = getByte(index);
	}
}

function toIndex(at: Word): number | undefined {
	return typeof at === 'bigint' && at < KNOWN_BYTES ? Number(at) : undefined;
}
