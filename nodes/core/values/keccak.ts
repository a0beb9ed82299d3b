/** In bytes. */
const RATE = 136;

/**
 * Ethereum's Keccak-256. Node's crypto has only SHA-3, whose padding differs. A 64-bit lane is two 32-bit halves in the
 * state, the lower first: bigints were slower than all else in decoding many logs.
 */
export function keccak256(message: Uint8Array): Buffer {
	const state = new Int32Array(50);
	let place = 0;
	for (let index = 0; index < message.length; index++) {
		mix(state, place >> 2, (message[index] ?? 0) << (8 * place));
		place = (place + 1) % RATE;
		if (place === 0) permute(state);
	}
	mix(state, place >> 2, 0x01 << (8 * place));
	mix(state, RATE / 4 - 1, 0x80 << 24);
	permute(state);
	const digest = Buffer.alloc(32);
	for (let half = 0; half < 8; half++) digest.writeInt32LE(at(state, half), half * 4);
	return digest;
}

function at(halves: Int32Array, index: number): number {
	return halves[index] ?? 0;
}

function mix(halves: Int32Array, index: number, by: number): void {
	halves[index] = at(halves, index) ^ by;
}

function permute(state: Int32Array): void {
	for (let round = 0; round < 24; round++) {
		theta(state);
		rhoAndPi(state);
		for (let row = 0; row < 50; row += 10) {
			chi(state, row);
			chi(state, row + 1);
		}
		mix(state, 0, at(ROUND_CONSTANTS, 2 * round));
		mix(state, 1, at(ROUND_CONSTANTS, 2 * round + 1));
	}
}

/** Column parities; l and h are their lower and higher halves. */
function theta(state: Int32Array): void {
	const [l0, h0] = [sum(state, 0), sum(state, 1)];
	const [l1, h1] = [sum(state, 2), sum(state, 3)];
	const [l2, h2] = [sum(state, 4), sum(state, 5)];
	const [l3, h3] = [sum(state, 6), sum(state, 7)];
	const [l4, h4] = [sum(state, 8), sum(state, 9)];
	mixColumn(state, 0, l4 ^ rotated(l1, h1, 1), h4 ^ rotated(h1, l1, 1));
	mixColumn(state, 2, l0 ^ rotated(l2, h2, 1), h0 ^ rotated(h2, l2, 1));
	mixColumn(state, 4, l1 ^ rotated(l3, h3, 1), h1 ^ rotated(h3, l3, 1));
	mixColumn(state, 6, l2 ^ rotated(l4, h4, 1), h2 ^ rotated(h4, l4, 1));
	mixColumn(state, 8, l3 ^ rotated(l0, h0, 1), h3 ^ rotated(h0, l0, 1));
}

function sum(state: Int32Array, x: number): number {
	return (
		at(state, x) ^ at(state, x + 10) ^ at(state, x + 20) ^ at(state, x + 30) ^ at(state, x + 40)
	);
}

function mixColumn(state: Int32Array, x: number, low: number, high: number): void {
	for (let index = x; index < 50; index += 10) {
		mix(state, index, low);
		mix(state, index + 1, high);
	}
}

/** One half of a lane rotated left. JavaScript shifts modulo 32. */
function rotated(half: number, other: number, by: number): number {
	return (half << by) | (other >>> (32 - by));
}

function rhoAndPi(state: Int32Array): void {
	let low = at(state, 2);
	let high = at(state, 3);
	for (let step = 0; step < 24; step++) {
		const place = at(PATH, step);
		const by = at(ROTATIONS, step);
		const nextLow = at(state, place);
		const nextHigh = at(state, place + 1);
		if (by >= 32) [low, high] = [high, low];
		state[place] = rotated(low, high, by);
		state[place + 1] = rotated(high, low, by);
		low = nextLow;
		high = nextHigh;
	}
}

/** One row, in its lower or higher halves. */
function chi(state: Int32Array, start: number): void {
	const a = at(state, start);
	const b = at(state, start + 2);
	const c = at(state, start + 4);
	const d = at(state, start + 6);
	const e = at(state, start + 8);
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

/** From an LFSR: bit 2^i - 1 of each constant. */
const ROUND_CONSTANTS = roundConstants();

function roundConstants(): Int32Array {
	const halves = new Int32Array(48);
	let register = 1;
	for (let round = 0; round < 24; round++) {
		for (const position of [0, 1, 3, 7, 15, 31, 63]) {
			if (register & 1) mix(halves, 2 * round + (position >> 5), 1 << position);
			register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
		}
	}
	return halves;
}
