import { beginCell, Cell as OracleCell, convertToMerkleProof, Dictionary } from '@ton/core';
import fc from 'fast-check';
import type { TonAccount } from '../../../nodes/core/ton/address';
import { catching, InvalidValue } from '../../../nodes/core/values/parse';
import { CellBuilder } from '../../../nodes/core/ton/builder';
import { computeCrc32c } from '../../../nodes/core/ton/crc32c';
import { parseBagBytes, parseBag } from '../../../nodes/core/ton/bag/parse';
import { serializeBag } from '../../../nodes/core/ton/bag/serialize';
import { Slice } from '../../../nodes/core/ton/slice';
import { loadSnake, storeSnake } from '../../../nodes/core/ton/snake';
import { anyCharacter } from '../../harness/anyText.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';
import { accounts, oracleAddress, oracleCells, toOracle } from './support.mts';

fc.configureGlobal({ seed: getSeed(20261123), numRuns: getCaseCount(500) });

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const read = (bytes: Uint8Array) => catching(InvalidValue, () => parseBagBytes(bytes));

/** A published bag of cells with the comment "hi". */
const PUBLISHED = 'b5ee9c7241010101000800000c000000006869e87b32e9';

/**
 * Builds a bag without a checksum, from its numbers of cells, of roots and of absent cells, and the data of the
 * cells.
 */
const bag = (cells: number, roots: number, absent: number, data: number[]) =>
	Buffer.from([0xb5, 0xee, 0x9c, 0x72, 1, 1, cells, roots, absent, data.length, 0, ...data]);

describe('a bag of cells', () => {
	test('is read as another implementation reads it, whichever way it is written', () => {
		fc.assert(
			fc.property(oracleCells, fc.boolean(), fc.boolean(), (cell, idx, crc32) => {
				const found = parseBagBytes(cell.toBoc({ idx, crc32 }));
				expect(hex(found.hash)).toBe(hex(cell.hash()));
				expect(found.depth).toBe(cell.depth());
				expect(found.bits).toBe(cell.bits.length);
			}),
		);
	});

	test('is written byte by byte as another implementation writes it', () => {
		fc.assert(
			fc.property(oracleCells, (cell) => {
				expect(hex(serializeBag(parseBagBytes(cell.toBoc())))).toBe(hex(cell.toBoc()));
			}),
		);
	});

	test('is read in both older forms', () => {
		const cell = beginCell().storeUint(5, 3).storeRef(beginCell().endCell()).endCell();
		const [, , , ...rest] = [...cell.toBoc({ idx: true, crc32: false })];
		// After the flags come the size of the offsets, three counts, the total size of the cells, the root, and the
		// index.
		const [offset, ...counts] = rest.slice(2, 6);
		const body = [0x01, offset, ...counts, ...rest.slice(6, 7), ...rest.slice(8)] as number[];
		const withIndex = Buffer.from([0x68, 0xff, 0x65, 0xf3, ...body]);
		expect(hex(parseBagBytes(withIndex).hash)).toBe(hex(cell.hash()));
		const begun = Buffer.from([0xac, 0xc3, 0xa7, 0x28, ...body]);
		const sum = Buffer.alloc(4);
		sum.writeUInt32LE(computeCrc32c(begun));
		expect(hex(parseBagBytes(Buffer.concat([begun, sum])).hash)).toBe(hex(cell.hash()));
		expect(hex(OracleCell.fromBoc(withIndex)[0]!.hash())).toBe(hex(cell.hash()));
	});

	test('is read past the hashes that some bags hold', () => {
		const bytes = bag(1, 1, 0, [0x10, 0x02, ...new Array<number>(34).fill(9), 0xab]);
		const oracle = OracleCell.fromBoc(bytes)[0]!;
		expect(hex(parseBagBytes(bytes).hash)).toBe(hex(oracle.hash()));
		expect(oracle.bits.toString()).toBe('AB');
	});

	test('has the published bytes, checksum and hash', () => {
		const hi = new CellBuilder().storeUint(0, 32).storeBytes(Buffer.from('hi')).build();
		expect(hex(serializeBag(hi))).toBe(PUBLISHED);
		expect(computeCrc32c(Buffer.from('123456789')).toString(16)).toBe('e3069283');
		expect(hex(new CellBuilder().build().hash)).toMatch(/^96a296d2.*0a09cfc7$/);
	});

	test('of which one byte is another is refused, or says something else', () => {
		fc.assert(
			fc.property(oracleCells, fc.nat(), fc.integer({ min: 1, max: 255 }), (cell, at, other) => {
				const bytes = cell.toBoc({ crc32: false });
				const index = at % bytes.length;
				bytes[index] = bytes[index]! ^ other;
				const found = read(bytes);
				const oracle = catching(Error, () => OracleCell.fromBoc(bytes));
				if (found instanceof InvalidValue || oracle instanceof Error) return;
				expect(hex(found.hash)).toBe(hex(oracle[0]!.hash()));
			}),
		);
	});

	test('with a checksum is refused when any one bit is another', () => {
		const bytes = Buffer.from(PUBLISHED, 'hex');
		for (let bit = 0; bit < 8 * bytes.length; bit++) {
			const changed = Buffer.from(bytes);
			changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
			expect(read(changed)).toBeInstanceOf(InvalidValue);
		}
	});

	test('that was cut off anywhere is refused', () => {
		const bytes = Buffer.from(PUBLISHED, 'hex');
		for (let length = 0; length < bytes.length; length++) {
			expect(read(bytes.subarray(0, length))).toBeInstanceOf(InvalidValue);
		}
	});

	test.each([
		['several roots', bag(1, 2, 0, [0, 0]), 'it has 2 roots, not one'],
		['no root', bag(1, 0, 0, [0, 0]), 'it has 0 roots, not one'],
		['absent cells', bag(1, 1, 1, [0, 0]), 'some of its cells are missing'],
		['no cell', bag(0, 1, 0, []), 'it has 0 cells'],
		['more cells than bytes', bag(2, 1, 0, [0, 0]), 'a cell ends too early'],
		['fewer cells than bytes', bag(1, 1, 0, [0, 0, 0]), 'its cells take fewer bytes'],
		['a cell that refers to itself', bag(1, 1, 0, [1, 0, 0]), 'one that does not come after it'],
		['a reference back', bag(2, 1, 0, [1, 0, 1, 1, 0, 0]), 'one that does not come after it'],
		['a reference to nowhere', bag(1, 1, 0, [1, 0, 9]), 'one that does not come after it'],
		['five references', bag(1, 1, 0, [5, 0, 1, 1, 1, 1, 1]), 'a cell has 5 references'],
		['content without an end', bag(1, 1, 0, [0, 1, 0]), 'filled to whole bytes by nothing'],
		[
			'content filled by a whole byte',
			bag(1, 1, 0, [0, 1, 0x80]),
			'filled to whole bytes by nothing',
		],
		['a level without a reason', bag(1, 1, 0, [0x20, 0]), 'of another level than it says'],
		['an exotic kind that is none', bag(1, 1, 0, [8, 2, 9]), 'exotic kind that is not known'],
		['bytes behind', Buffer.concat([bag(1, 1, 0, [0, 0]), Buffer.alloc(1)]), 'bytes left over'],
		['another beginning', Buffer.from('{"ok":true}'), 'does not begin like one'],
		['nothing', Buffer.alloc(0), 'it ends too early'],
		['too many bytes', Buffer.alloc(10_000_001), 'it is larger than 10 MB'],
	])('with %s is refused', (_, bytes, words) => {
		expect(() => parseBagBytes(bytes)).toThrow(InvalidValue);
		expect(() => parseBagBytes(bytes)).toThrow(words);
	});

	test.each([
		['nothing', ' ', 'a bag of cells (BOC), the data format of TON, in base64'],
		['a number', 7, 'a bag of cells (BOC), the data format of TON, in base64'],
		['half a group', 'te6cc', 'in complete base64'],
		['endless text', 'A'.repeat(20_000_000), 'it is larger than 10 MB'],
	])('in base64 that is %s is refused', (_, given, words) => {
		expect(() => parseBag(given)).toThrow(words);
	});

	test('whose cells are nested too deeply is refused', () => {
		const nested = (depth: number) => {
			const cells = Array.from({ length: depth }, (_, at) => [
				1,
				0,
				(at + 1) >> 8,
				(at + 1) & 0xff,
			]);
			const data = [...cells.flat(), 0, 0];
			const count = [(depth + 1) >> 8, (depth + 1) & 0xff];
			const lengths = [data.length >> 8, data.length & 0xff];
			return Buffer.from([
				0xb5,
				0xee,
				0x9c,
				0x72,
				2,
				2,
				...count,
				0,
				1,
				0,
				0,
				...lengths,
				0,
				0,
				...data,
			]);
		};
		expect(parseBagBytes(nested(1024)).depth).toBe(1024);
		expect(() => parseBagBytes(nested(1025))).toThrow('deeper than 1024 levels');
		expect(() => parseBagBytes(nested(15_000))).toThrow('deeper than 1024 levels');
	});

	test('whose cells are shared is hashed once, however many ways lead to them', () => {
		let cell = beginCell().endCell();
		for (let depth = 0; depth < 1000; depth++)
			cell = beginCell().storeRef(cell).storeRef(cell).endCell();
		const found = parseBagBytes(cell.toBoc());
		expect(hex(found.hash)).toBe(hex(cell.hash()));
		expect(hex(serializeBag(found))).toBe(hex(cell.toBoc()));
	});

	test('keeps exotic cells: libraries, proofs, and branches cut out of them', () => {
		const library = beginCell()
			.storeUint(2, 8)
			.storeBuffer(Buffer.alloc(32, 7))
			.endCell({ exotic: true });
		const dictionary = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(32));
		for (let key = 0; key < 40; key++) dictionary.set(key * 77, key);
		for (const exotic of [library, dictionary.generateMerkleProof([77, 154])]) {
			const cell = beginCell().storeUint(1, 7).storeRef(exotic).endCell();
			const found = parseBagBytes(cell.toBoc());
			expect(hex(found.hash)).toBe(hex(cell.hash()));
			expect(hex(serializeBag(found))).toBe(hex(cell.toBoc()));
			expect(() => new Slice(found.references[0]!)).toThrow('exotic where data is wanted');
		}
	});

	test('with a proof of something else is refused', () => {
		const proof = convertToMerkleProof(beginCell().storeUint(0xabcd, 16).endCell());
		const bytes = proof.toBoc({ crc32: false });
		expect(read(bytes)).not.toBeInstanceOf(InvalidValue);
		bytes[bytes.length - 1] = 0xce;
		expect(() => parseBagBytes(bytes)).toThrow('a proof does not fit');
	});
});

describe('a builder and a slice', () => {
	type Step = readonly [
		write: (builder: CellBuilder) => unknown,
		oracle: (builder: ReturnType<typeof beginCell>) => unknown,
		read: (slice: Slice) => unknown,
		value: unknown,
	];

	const uints: fc.Arbitrary<Step> = fc
		.integer({ min: 1, max: 256 })
		.chain((width) =>
			fc
				.bigInt({ min: 0n, max: 2n ** BigInt(width) - 1n })
				.map(
					(value): Step => [
						(to) => to.storeUint(value, width),
						(to) => to.storeUint(value, width),
						(from) => from.loadUint(width),
						value,
					],
				),
		);
	const coins: fc.Arbitrary<Step> = fc
		.bigInt({ min: 0n, max: 2n ** 120n - 1n })
		.map((value) => [
			(to) => to.storeCoins(value),
			(to) => to.storeCoins(value),
			(from) => from.loadCoins(),
			value,
		]);
	const bytes: fc.Arbitrary<Step> = fc
		.uint8Array({ maxLength: 40 })
		.map((value) => [
			(to) => to.storeBytes(value),
			(to) => to.storeBuffer(Buffer.from(value)),
			(from) => from.loadBytes(value.length),
			Buffer.from(value),
		]);
	const addresses: fc.Arbitrary<Step> = fc
		.option(accounts)
		.map((value: TonAccount | null) => [
			(to) => to.storeAddress(value),
			(to) => to.storeAddress(value && oracleAddress(value)),
			(from) => from.loadAddress(),
			value,
		]);
	const children: fc.Arbitrary<Step> = fc
		.option(oracleCells)
		.map((value) => [
			(to) => to.storeMaybeReference(value && parseBagBytes(value.toBoc())),
			(to) => to.storeMaybeRef(value),
			(from) => from.loadMaybeReference()?.hash,
			value ? value.hash() : undefined,
		]);
	const steps = fc.array(fc.oneof(uints, coins, bytes, addresses, children), { maxLength: 8 });

	test('write and read what another implementation writes, or both refuse', () => {
		fc.assert(
			fc.property(steps, (chosen) => {
				const oracle = catching(Error, () => {
					const builder = beginCell();
					for (const [, write] of chosen) write(builder);
					return builder.endCell();
				});
				const built = catching(InvalidValue, () => {
					const builder = new CellBuilder();
					for (const [write] of chosen) write(builder);
					return builder.build();
				});
				if (oracle instanceof Error || built instanceof InvalidValue) {
					expect([oracle, built]).toEqual([expect.any(Error), expect.any(InvalidValue)]);
					return;
				}
				expect(hex(built.hash)).toBe(hex(oracle.hash()));
				const slice = new Slice(built);
				for (const [, , load, value] of chosen) expect(load(slice)).toEqual(value);
				expect(slice.isAtEnd).toBe(true);
			}),
		);
	});

	test.each([
		['a number that is too large', () => new CellBuilder().storeUint(8, 3), 'below 2^3'],
		['a number below zero', () => new CellBuilder().storeUint(-1n, 3), 'below 2^3'],
		['coins below zero', () => new CellBuilder().storeCoins(-1n), 'an amount below 2^120'],
		['too many coins', () => new CellBuilder().storeCoins(2n ** 120n), 'an amount below 2^120'],
		[
			'more bits than there are',
			() => new Slice(new CellBuilder().build()).loadBit(),
			'ends too early',
		],
		[
			'more bytes than there are',
			() => new Slice(new CellBuilder().build()).loadBytes(1),
			'ends too early',
		],
		[
			'a reference that is not there',
			() => new Slice(new CellBuilder().build()).loadReference(),
			'a reference is missing',
		],
		[
			'an address of another kind',
			() => new Slice(new CellBuilder().storeUint(0b01, 2).build()).loadAddress(),
			'of a kind that accounts do not have',
		],
	])('refuse %s', (_, work, words) => {
		expect(work).toThrow(InvalidValue);
		expect(work).toThrow(words);
	});
});

describe('text in a chain of cells', () => {
	const texts = fc.oneof(
		fc.string({ unit: anyCharacter, maxLength: 60 }),
		fc.string({ unit: anyCharacter, maxLength: 600, size: 'max' }),
		fc.integer({ min: 0, max: 3000 }).map((length) => 'ä'.repeat(length)),
	);

	test('is written and read as another implementation does', () => {
		fc.assert(
			fc.property(texts, (text) => {
				const built = storeSnake(new CellBuilder().storeUint(0, 32), Buffer.from(text)).build();
				const oracle = beginCell().storeUint(0, 32).storeStringTail(text).endCell();
				expect(hex(built.hash)).toBe(hex(oracle.hash()));
				const slice = new Slice(built);
				slice.loadNumber(32);
				expect(loadSnake(slice).toString()).toBe(oracle.beginParse().skip(32).loadStringTail());
			}),
		);
	});

	test('fills each cell, and ends with what is left', () => {
		const { bits, references } = storeSnake(
			new CellBuilder().storeUint(0, 32),
			Buffer.alloc(300, 97),
		).build();
		const [second] = references;
		expect([bits, second!.bits, second!.references[0]!.bits]).toEqual([1016, 1016, 400]);
	});

	test('has a longest length, which is refused in words', () => {
		const store = (length: number) => storeSnake(new CellBuilder(), Buffer.alloc(length)).build();
		expect(loadSnake(new Slice(store(127_000)))).toHaveLength(127_000);
		expect(() => store(127_001)).toThrow('text of at most 127000 bytes');
	});

	test.each([
		['of half a byte', new CellBuilder().storeUint(1, 4).build()],
		[
			'that forks',
			new CellBuilder()
				.storeReference(new CellBuilder().build())
				.storeReference(new CellBuilder().build())
				.build(),
		],
	])('%s is none', (_, cell) => {
		expect(() => loadSnake(new Slice(cell))).toThrow('no chain of whole bytes');
	});
});

test('cells of both implementations are the same', () => {
	fc.assert(
		fc.property(oracleCells, (cell) => {
			expect(toOracle(parseBagBytes(cell.toBoc())).equals(cell)).toBe(true);
		}),
	);
});
