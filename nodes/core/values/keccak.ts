/**
 * Keccak-256 as Ethereum uses it, with the padding that came before SHA-3: Node's crypto has only the latter.
 * It serves address checksums alone, so it is written to be read, with a bigint for each 64-bit lane.
 */
export function keccak256(message: Uint8Array): Buffer {
	const lanes = new Array<bigint>(25).fill(0n);
	const padded = pad(message);
	for (let start = 0; start < padded.length; start += RATE) {
		for (let lane = 0; lane < RATE / 8; lane++) {
			lanes[lane] = at(lanes, lane) ^ padded.readBigUInt64LE(start + lane * 8);
		}
		ROUND_CONSTANTS.forEach((constant) => round(lanes, constant));
	}
	const digest = Buffer.alloc(32);
	[0, 1, 2, 3].forEach((lane) => digest.writeBigUInt64LE(at(lanes, lane), lane * 8));
	return digest;
}

const RATE = 136;
const MASK = (1n << 64n) - 1n;

function at(lanes: readonly bigint[], index: number): bigint {
	return lanes[index] ?? 0n;
}

function pad(message: Uint8Array): Buffer {
	const padded = Buffer.alloc((Math.floor(message.length / RATE) + 1) * RATE);
	padded.set(message);
	padded[message.length] = 0x01;
	padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
	return padded;
}

function rotate(lane: bigint, by: number): bigint {
	return by === 0 ? lane : ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK;
}

/** One of the 24 rounds: theta, rho with pi, chi, iota. */
function round(lanes: bigint[], constant: bigint): void {
	const columns = [0, 1, 2, 3, 4].map((x) =>
		[0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(lanes, x + y), 0n),
	);
	const mixed = lanes.map(
		(lane, index) => lane ^ at(columns, (index + 4) % 5) ^ rotate(at(columns, (index + 1) % 5), 1),
	);
	const moved = new Array<bigint>(25).fill(0n);
	mixed.forEach((lane, index) => {
		const [x, y] = [index % 5, Math.floor(index / 5)];
		moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(lane, ROTATIONS[index] ?? 0);
	});
	moved.forEach((lane, index) => {
		const row = index - (index % 5);
		const next = at(moved, row + ((index + 1) % 5));
		lanes[index] = lane ^ (~next & MASK & at(moved, row + ((index + 2) % 5)));
	});
	lanes[0] = at(lanes, 0) ^ constant;
}

const ROTATIONS = [
	0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
];

/** Each is made of the bits of a shift register, at positions 1, 2, 4, … 64. */
const ROUND_CONSTANTS = roundConstants();

function roundConstants(): bigint[] {
	let register = 1;
	const nextBit = () => {
		const bit = register & 1;
		register = register & 0x80 ? (register << 1) ^ 0x171 : register << 1;
		return bit;
	};
	return Array.from({ length: 24 }, () =>
		[0, 1, 3, 7, 15, 31, 63].reduce(
			(constant, position) => constant | (BigInt(nextBit()) << BigInt(position)),
			0n,
		),
	);
}
