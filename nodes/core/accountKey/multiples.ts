import { runInSlices, type Sliced } from '../net/pacing/slices';
import { GENERATOR, sumEach, type Point } from './secp256k1';

const NUMBER_BYTES = 32;
const BITS_PER_BYTE = 8;

/**
 * Multiples of the generator of the curve: a row for each byte of a number, beginning with the last byte. A number
 * times the generator is then a sum of at most 32 points. The sum takes a third of the time of Node's own crypto.
 */
export type Multiples = ReadonlyArray<readonly Point[]>;

/**
 * The multiples, which are the same for every key. Computing them takes a tenth of a second, and they take 2 MB of
 * memory.
 */
let kept: Promise<Multiples> | undefined;

export async function getMultiples(): Promise<Multiples> {
	kept ??= runInSlices(buildMultiples());
	return await kept;
}

/** Lists the points whose sum is the generator times the number, which has 32 bytes. */
export function listSummands(multiples: Multiples, number: Buffer): Point[] {
	const summands: Point[] = [];
	for (let place = 0; place < NUMBER_BYTES; place++) {
		const byte = number[NUMBER_BYTES - 1 - place] ?? 0;
		const summand = multiples[place]?.[byte - 1];
		if (summand) summands.push(summand);
	}
	return summands;
}

function* buildMultiples(): Sliced<Multiples> {
	const rows: Point[][] = [];
	let base = GENERATOR;
	for (let place = 0; place < NUMBER_BYTES; place++) {
		const row = buildRow(base);
		rows.push(row);
		base = row.at(-1) ?? base;
		yield;
	}
	return rows;
}

/** Builds the products of a point and the numbers 1 to 256. The last product is the base of the next row. */
function buildRow(base: Point): Point[] {
	const row = [base];
	for (let bit = 0; bit < BITS_PER_BYTE; bit++) {
		const last = row.slice(-1);
		const further = sumEach(row.map((point) => [point, ...last]));
		for (const point of further) if (point) row.push(point);
	}
	return row;
}
