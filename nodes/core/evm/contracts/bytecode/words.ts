/**
 * What is known of a word: a number, some bytes, or a comparison of the selector with a number. `mixed` means that the
 * word depends on nothing but the selector.
 */
export type Word = bigint | SomeBytes | IsSelector | 'mixed' | 'unknown';

/** Bytes from the first to the last of a word: 0 to 255, `SELECTOR_BYTE` and more for those of the selector, or `UNKNOWN_BYTE`. */
export interface SomeBytes {
	readonly bytes: readonly number[];
}

interface IsSelector {
	readonly selector: number;
	/** True if the word is true for this selector only; false if the word is false for this selector only. */
	readonly isTrue: boolean;
}

export const WORD_BYTES = 32;
const SELECTOR_BYTES = 4;
export const SELECTOR_BYTE = 256;
export const UNKNOWN_BYTE = -1;

/** Returns a byte of the call's data. The selector comes first, and the bytes behind it are unknown. */
export function getSentByte(at: number): number {
	return at < SELECTOR_BYTES ? SELECTOR_BYTE + at : UNKNOWN_BYTE;
}

export function createWord(bytes: readonly number[]): Word {
	if (bytes.every((byte) => byte === UNKNOWN_BYTE)) return 'unknown';
	if (bytes.some((byte) => byte < 0 || byte >= SELECTOR_BYTE)) return { bytes };
	return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

export function getBytes(word: Word): readonly number[] {
	if (typeof word === 'bigint')
		return [...Buffer.from(word.toString(16).padStart(2 * WORD_BYTES, '0'), 'hex')];
	return isBytes(word) ? word.bytes : new Array<number>(WORD_BYTES).fill(UNKNOWN_BYTE);
}

function isBytes(word: Word): word is SomeBytes {
	return typeof word === 'object' && 'bytes' in word;
}

function isComparison(word: Word): word is IsSelector {
	return typeof word === 'object' && 'selector' in word;
}

/** Whether the selector of the call determines the value of the word. */
export function followsFromSelector(word: Word): boolean {
	return word === 'mixed' || (isBytes(word) && !word.bytes.includes(UNKNOWN_BYTE));
}

function mix(word: Word): Word {
	return followsFromSelector(word) ? 'mixed' : 'unknown';
}

/** Whether two words are equal. The result is unknown if too little is known of a word. */
export function compare(left: Word, right: Word): Word {
	if (typeof left === 'bigint')
		return typeof right === 'bigint' ? BigInt(left === right) : compare(right, left);
	if (!isBytes(left) || typeof right !== 'bigint') return 'unknown';
	return compareBytes(left.bytes, getBytes(right));
}

function compareBytes(left: readonly number[], right: readonly number[]): Word {
	const isDifferent = left.some(
		(byte, at) => byte >= 0 && byte < SELECTOR_BYTE && byte !== right[at],
	);
	if (isDifferent) return 0n;
	const start = left.indexOf(SELECTOR_BYTE);
	const isWhole =
		start >= 0 && left.every((byte, at) => byte === getExpectedByte(at - start, right[at]));
	if (!isWhole) return 'unknown';
	const selector = Buffer.from(right.slice(start, start + SELECTOR_BYTES)).readUInt32BE();
	return { selector, isTrue: true };
}

function getExpectedByte(at: number, other = UNKNOWN_BYTE): number {
	return at >= 0 && at < SELECTOR_BYTES ? SELECTOR_BYTE + at : other;
}

export function negate(word: Word): Word {
	if (typeof word === 'bigint') return BigInt(word === 0n);
	return isComparison(word) ? { ...word, isTrue: !word.isTrue } : compare(word, 0n);
}

/** Returns the word as a condition: a number, a comparison with a selector, or undefined if nothing is known. */
export function getCondition(word: Word): bigint | IsSelector | undefined {
	if (typeof word === 'bigint' || isComparison(word)) return word;
	const isZero = compare(word, 0n);
	if (typeof isZero === 'bigint') return BigInt(isZero === 0n);
	return isComparison(isZero) ? { ...isZero, isTrue: false } : undefined;
}

/** Returns a word that is zero only if two words are equal. It stands for their difference or their exclusive or. */
export function differ(left: Word, right: Word): Word {
	const isEqual = compare(left, right);
	if (isComparison(isEqual)) return negate(isEqual);
	return typeof left === 'bigint' ? mix(right) : mix(left);
}

export function shiftRight(word: Word, bits: bigint): Word {
	if (typeof word === 'bigint') return bits < 256n ? word >> bits : 0n;
	if (!isBytes(word) || bits % 8n !== 0n) return mix(word);
	const bytes = Number(bits < 256n ? bits / 8n : 32n);
	return createWord([
		...new Array<number>(bytes).fill(0),
		...word.bytes.slice(0, WORD_BYTES - bytes),
	]);
}

export function shiftLeft(word: Word, bits: bigint): Word {
	if (typeof word === 'bigint') return bits < 256n ? BigInt.asUintN(256, word << bits) : 0n;
	if (!isBytes(word) || bits % 8n !== 0n) return mix(word);
	const bytes = Number(bits < 256n ? bits / 8n : 32n);
	return createWord([...word.bytes.slice(bytes), ...new Array<number>(bytes).fill(0)]);
}

/** Returns how often the number can be halved until it is 1; undefined if it is not a power of two. */
function findPower(number: bigint): bigint | undefined {
	const digits = number.toString(2);
	return /^10*$/.test(digits) ? BigInt(digits.length - 1) : undefined;
}

export function divide(word: Word, divisor: Word): Word {
	if (typeof divisor !== 'bigint') return 'unknown';
	if (divisor === 0n) return 0n;
	const power = findPower(divisor);
	if (power !== undefined) return shiftRight(word, power);
	return typeof word === 'bigint' ? word / divisor : mix(word);
}

export function multiply(left: Word, right: Word): Word {
	if (typeof right !== 'bigint')
		return typeof left === 'bigint' ? multiply(right, left) : 'unknown';
	const power = findPower(right);
	if (power !== undefined) return shiftLeft(left, power);
	return typeof left === 'bigint' ? BigInt.asUintN(256, left * right) : mix(left);
}

/**
 * Returns the bits that are set in both words. A comparison that only one selector fulfils is kept beside an unknown
 * word, because no other selector can make the result true.
 */
export function maskBytes(left: Word, right: Word): Word {
	if (isComparison(left) && typeof right !== 'bigint') return left.isTrue ? left : 'unknown';
	if (isComparison(right)) return maskBytes(right, left);
	if (typeof right !== 'bigint')
		return typeof left === 'bigint' ? maskBytes(right, left) : 'unknown';
	if (typeof left === 'bigint') return left & right;
	if (isComparison(left)) return right === 0n ? 0n : left;
	if (!isBytes(left)) return mix(left);
	const masks = getBytes(right);
	const isWhole = masks.every((mask, at) => mask === 0 || mask === 0xff || left.bytes[at] === 0);
	if (!isWhole) return mix(left);
	return createWord(left.bytes.map((byte, at) => (masks[at] === 0 ? 0 : byte)));
}
