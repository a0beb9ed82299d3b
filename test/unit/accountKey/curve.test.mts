import { createECDH } from 'node:crypto';
import { getMultiples, listSummands } from '../../../nodes/core/accountKey/multiples';
import {
	compressPoint,
	decompressPoint,
	encodePoint,
	GENERATOR,
	ORDER,
	sumEach,
	type Point,
} from '../../../nodes/core/accountKey/secp256k1';
import { createRandom } from '../../harness/random.mts';

/** Multiplies the base point by a number with Node's own crypto, to compare the results. */

function multiply(number: bigint): Point {
	const key = createECDH('secp256k1');
	key.setPrivateKey(toBytes(number));
	const point = decompressPoint(key.getPublicKey(null, 'compressed') as unknown as Buffer);
	if (!point) throw new Error('not on the curve');
	return point;
}

function toBytes(number: bigint): Buffer {
	return Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
}

const negate = (number: bigint) => ORDER - number;

test('points are added, doubled and cancelled, however many there are', () => {
	const [two, three, five] = [2n, 3n, 5n].map(multiply) as [Point, Point, Point];
	const lists = [
		[],
		[two],
		[two, three],
		[two, two],
		[two, multiply(negate(2n))],
		[two, multiply(negate(2n)), five],
		[two, two, two, multiply(negate(3n)), five],
		[five, three, two, multiply(negate(10n))],
	];
	expect(sumEach(lists)).toEqual(
		[undefined, 2n, 5n, 4n, undefined, 5n, 8n, undefined].map((one) => one && multiply(one)),
	);
});

test('a number times the generator is what Node says', async () => {
	const multiples = await getMultiples();
	const random = createRandom(20261128);
	const numbers = [1n, 255n, 256n, 0xff00ff00n, ORDER - 1n, 1n << 255n];
	while (numbers.length < 200) numbers.push(1n + (random.number(32) % (ORDER - 1n)));
	const sums = sumEach(numbers.map((number) => listSummands(multiples, toBytes(number))));
	expect(sums).toEqual(numbers.map(multiply));
});

test('a point is written as it is read', () => {
	const compressed = compressPoint(GENERATOR);
	expect(decompressPoint(compressed)).toEqual(GENERATOR);
	expect(encodePoint(GENERATOR)).toHaveLength(64);
	expect(compressed[0]).toBe(2);
	expect(compressPoint(multiply(ORDER - 1n))[0]).toBe(3);
});

test.each([
	'02' + 'ff'.repeat(32),
	'02' + '00'.repeat(31) + '05',
	'05' + '11'.repeat(32),
	'00',
	'',
])('%s is no point of the curve', (hex) => {
	expect(decompressPoint(Buffer.from(hex, 'hex'))).toBeUndefined();
});
