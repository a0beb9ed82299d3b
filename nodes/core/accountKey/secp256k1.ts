import { ECDH } from 'crypto';

/**
 * A point of the curve secp256k1. The point at infinity has no coordinates; functions return undefined in its place.
 */
export interface Point {
	readonly x: bigint;
	readonly y: bigint;
}

const CURVE = 'secp256k1';
const COORDINATE_BYTES = 32;
/** All arithmetic on coordinates is modulo this prime. */
const FIELD = 2n ** 256n - 2n ** 32n - 977n;
/** The order of the curve: the number of different multiples of a point. */
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export const GENERATOR: Point = {
	x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
	y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

/** Reads a compressed point; returns undefined if the point is not on the curve. */
export function decompressPoint(compressed: Buffer): Point | undefined {
	try {
		const whole = ECDH.convertKey(compressed, CURVE, undefined, 'hex', 'uncompressed') as string;
		const [x = '', y = ''] = [whole.slice(2, -2 * COORDINATE_BYTES), whole.slice(-64)];
		return { x: BigInt(`0x${x}`), y: BigInt(`0x${y}`) };
	} catch {
		return undefined;
	}
}

export function compressPoint({ x, y }: Point): Buffer {
	return Buffer.concat([Buffer.from([y % 2n === 0n ? 2 : 3]), encodeCoordinate(x)]);
}

/** Both coordinates, without a prefix. */
export function encodePoint({ x, y }: Point): Buffer {
	return Buffer.concat([encodeCoordinate(x), encodeCoordinate(y)]);
}

function encodeCoordinate(value: bigint): Buffer {
	return Buffer.from(value.toString(16).padStart(2 * COORDINATE_BYTES, '0'), 'hex');
}

/**
 * Adds up each list of points; the sum is undefined if it is the point at infinity. Neighbours are added in all lists
 * at once, so that all lists share one division, which takes as long as a hundred multiplications.
 */
export function sumEach(lists: ReadonlyArray<readonly Point[]>): Array<Point | undefined> {
	let sums = lists;
	while (sums.some(({ length }) => length > 1)) sums = addNeighbours(sums);
	return sums.map(([only]) => only);
}

function addNeighbours(lists: ReadonlyArray<readonly Point[]>): ReadonlyArray<readonly Point[]> {
	const added = addPairs(lists.flatMap(listPairs));
	let at = 0;
	return lists.map((list) => {
		const sums: Point[] = [];
		for (const end = at + (list.length >> 1); at < end; at++) {
			const sum = added[at];
			if (sum) sums.push(sum);
		}
		const left = list.length % 2 === 1 ? list.at(-1) : undefined;
		if (left) sums.push(left);
		return sums;
	});
}

type Pair = readonly [Point, Point];

function listPairs(points: readonly Point[]): Pair[] {
	const pairs: Pair[] = [];
	for (let index = 0; index + 1 < points.length; index += 2) {
		pairs.push(points.slice(index, index + 2) as unknown as Pair);
	}
	return pairs;
}

/**
 * The slope of the line through two points, or of the tangent if they are equal, as a fraction; undefined for a
 * vertical line.
 */
function findSlope([one, other]: Pair): readonly [over: bigint, under: bigint] | undefined {
	if (one.x !== other.x) return [other.y - one.y, other.x - one.x];
	return one.y === other.y ? [3n * one.x * one.x, 2n * one.y] : undefined;
}

function addPairs(pairs: readonly Pair[]): Array<Point | undefined> {
	const slopes = pairs.map(findSlope);
	const inverses = invertAll(slopes.map((slope) => slope?.[1] ?? 1n));
	return pairs.map(([one, other], index) => {
		const over = slopes[index]?.[0];
		if (over === undefined) return undefined;
		const slope = reduce(over * (inverses[index] ?? 1n));
		const x = reduce(slope * slope - one.x - other.x);
		return { x, y: reduce(slope * (one.x - x) - one.y) };
	});
}

/**
 * Computes the inverse of each value with only one modular inversion: that of the product of all values. No value may
 * be 0.
 */
function invertAll(values: readonly bigint[]): bigint[] {
	let product = 1n;
	const before = values.map((value) => {
		const known = product;
		product = reduce(product * value);
		return known;
	});
	let inverse = invert(product);
	const inverses = new Array<bigint>(values.length);
	for (let index = values.length - 1; index >= 0; index--) {
		inverses[index] = reduce(inverse * (before[index] ?? 1n));
		inverse = reduce(inverse * (values[index] ?? 1n));
	}
	return inverses;
}

/**
 * Inverts a value modulo the prime by the extended Euclidean algorithm. No value is secret, so the running time may
 * depend on it.
 */
function invert(value: bigint): bigint {
	let [larger, smaller] = [FIELD, value];
	let [before, factor] = [0n, 1n];
	while (smaller !== 0n) {
		const quotient = larger / smaller;
		[larger, smaller] = [smaller, larger - quotient * smaller];
		[before, factor] = [factor, before - quotient * factor];
	}
	return reduce(before);
}

function reduce(value: bigint): bigint {
	const rest = value % FIELD;
	return rest < 0n ? rest + FIELD : rest;
}
