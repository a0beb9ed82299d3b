const RATE_BYTES = 136;

/**
 * Computes Ethereum's Keccak-256. Node's crypto has only SHA-3, which pads differently. Each 64-bit lane is stored as
 * two 32-bit halves, the lower half first, because bigints were too slow for decoding many logs.
 */
export function keccak256(message: Uint8Array): Buffer {
	const sponge = new Sponge();
	sponge.absorb(message);
	return sponge.squeeze();
}

/** Some milliseconds of work. */
const SLICE_BYTES = 200_000;

/** Hashes a long message in slices, so that other work can run in between. */
export function* keccak256InSlices(message: Uint8Array): Generator<void, Buffer, void> {
	const sponge = new Sponge();
	for (let start = 0; start < message.length; start += SLICE_BYTES) {
		if (start > 0) yield;
		sponge.absorb(message.subarray(start, start + SLICE_BYTES));
	}
	return sponge.squeeze();
}

class Sponge {
	private readonly state = new Int32Array(50);
	private place = 0;

	absorb(message: Uint8Array): void {
		const { state } = this;
		let { place } = this;
		for (let index = 0; index < message.length; index++) {
			xorHalf(state, place >> 2, (message[index] ?? 0) << (8 * place));
			place = (place + 1) % RATE_BYTES;
			if (place === 0) permute(state);
		}
		this.place = place;
	}

	squeeze(): Buffer {
		const { state, place } = this;
		xorHalf(state, place >> 2, 0x01 << (8 * place));
		xorHalf(state, RATE_BYTES / 4 - 1, 0x80 << 24);
		permute(state);
		const digest = Buffer.alloc(32);
		for (let half = 0; half < 8; half++) digest.writeInt32LE(getHalf(state, half), half * 4);
		return digest;
	}
}

function getHalf(halves: Int32Array, index: number): number {
	return halves[index] ?? 0;
}

function xorHalf(halves: Int32Array, index: number, by: number): void {
	halves[index] = getHalf(halves, index) ^ by;
}

function permute(state: Int32Array): void {
	for (let round = 0; round < 24; round++) {
		theta(state);
		rhoAndPi(state);
		for (let row = 0; row < 50; row += 10) {
			chi(state, row);
			chi(state, row + 1);
		}
		xorHalf(state, 0, getHalf(ROUND_CONSTANTS, 2 * round));
		xorHalf(state, 1, getHalf(ROUND_CONSTANTS, 2 * round + 1));
	}
}

/** The theta step of Keccak. `l` and `h` are the lower and the higher halves of the parities of columns. */
function theta(state: Int32Array): void {
	const [l0, h0] = [xorColumn(state, 0), xorColumn(state, 1)];
	const [l1, h1] = [xorColumn(state, 2), xorColumn(state, 3)];
	const [l2, h2] = [xorColumn(state, 4), xorColumn(state, 5)];
	const [l3, h3] = [xorColumn(state, 6), xorColumn(state, 7)];
	const [l4, h4] = [xorColumn(state, 8), xorColumn(state, 9)];
	mixColumn(state, 0, l4 ^ rotateHalf(l1, h1, 1), h4 ^ rotateHalf(h1, l1, 1));
	mixColumn(state, 2, l0 ^ rotateHalf(l2, h2, 1), h0 ^ rotateHalf(h2, l2, 1));
	mixColumn(state, 4, l1 ^ rotateHalf(l3, h3, 1), h1 ^ rotateHalf(h3, l3, 1));
	mixColumn(state, 6, l2 ^ rotateHalf(l4, h4, 1), h2 ^ rotateHalf(h4, l4, 1));
	mixColumn(state, 8, l3 ^ rotateHalf(l0, h0, 1), h3 ^ rotateHalf(h0, l0, 1));
}

function xorColumn(state: Int32Array, x: number): number {
	return (
		getHalf(state, x) ^
		getHalf(state, x + 10) ^
		getHalf(state, x + 20) ^
		getHalf(state, x + 30) ^
		getHalf(state, x + 40)
	);
}

function mixColumn(state: Int32Array, x: number, low: number, high: number): void {
	for (let index = x; index < 50; index += 10) {
		xorHalf(state, index, low);
		xorHalf(state, index + 1, high);
	}
}

/**
 * Rotates a 64-bit lane to the left, and returns one half of the result. JavaScript shifts by the amount modulo 32. So
 * the caller swaps the halves if the amount is 32 or more.
 */
function rotateHalf(half: number, other: number, by: number): number {
	return (half << by) | (other >>> (32 - by));
}

function rhoAndPi(state: Int32Array): void {
	let low = getHalf(state, 2);
	let high = getHalf(state, 3);
	for (let step = 0; step < 24; step++) {
		const place = getHalf(PATH, step);
		const by = getHalf(ROTATIONS, step);
		const nextLow = getHalf(state, place);
		const nextHigh = getHalf(state, place + 1);
		if (by >= 32) [low, high] = [high, low];
		state[place] = rotateHalf(low, high, by);
		state[place + 1] = rotateHalf(high, low, by);
		low = nextLow;
		high = nextHigh;
	}
}

/** The chi step of Keccak for one row: either its lower halves or its higher halves. */
function chi(state: Int32Array, start: number): void {
	const a = getHalf(state, start);
	const b = getHalf(state, start + 2);
	const c = getHalf(state, start + 4);
	const d = getHalf(state, start + 6);
	const e = getHalf(state, start + 8);
	state[start] = a ^ (~b & c);
	state[start + 2] = b ^ (~c & d);
	state[start + 4] = c ^ (~d & e);
	state[start + 6] = d ^ (~e & a);
	state[start + 8] = e ^ (~a & b);
}

const PATH = new Int32Array(24);
const ROTATIONS = new Int32Array(24);
for (let step = 0, x = 1, y = 0; step < 24; step++) {
	[x, y] = [y, (2 * x + 3 * y) % 5];
	PATH[step] = 2 * (x + 5 * y);
	ROTATIONS[step] = (((step + 1) * (step + 2)) / 2) % 64;
}

/** The round constants of Keccak. A linear-feedback shift register (LFSR) produces their bits. */
const ROUND_CONSTANTS = buildRoundConstants();

function buildRoundConstants(): Int32Array {
	const halves = new Int32Array(48);
	let register = 1;
	for (let round = 0; round < 24; round++) {
		for (const position of [0, 1, 3, 7, 15, 31, 63]) {
			if (register & 1) xorHalf(halves, 2 * round + (position >> 5), 1 << position);
			register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
		}
	}
	return halves;
}
