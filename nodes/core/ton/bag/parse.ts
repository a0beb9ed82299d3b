import { decodeBase64 } from '../../values/base64';
import { Budget } from '../../values/budget';
import { type Parse, InvalidValue } from '../../values/parse';
import { Cell, MAX_CELL_REFERENCES } from '../cell';
import { computeCrc32c } from '../crc32c';
import { countBits } from '../exotic';
import { raise } from '../../errors/raise';

/** No account on the chain has more cells than this. */
const MAX_CELLS = 65_536;
/** No bag of `MAX_CELLS` cells is as large, even if all cells have the largest size. */
const MAX_BAG_BYTES = 10_000_000;
const MAX_BAG_CHARS = Math.ceil(MAX_BAG_BYTES / 3) * 4;

const MAGIC = 0xb5ee9c72;
const MAGIC_WITH_INDEX = 0x68ff65f3;
const MAGIC_WITH_INDEX_AND_CHECKSUM = 0xacc3a728;

const INDEX_FLAG = 0x80;
const CHECKSUM_FLAG = 0x40;
const CACHE_FLAG = 0x20;
const NUMBER_BYTES_MASK = 0x07;
const MAX_NUMBER_BYTES = 4;
const MAX_OFFSET_BYTES = 8;
const CHECKSUM_BYTES = 4;

const REFERENCES_MASK = 0x07;
const EXOTIC_FLAG = 0x08;
const HASHES_FLAG = 0x10;
const LEVEL_SHIFT = 5;
/** A stored digest is a hash of 32 bytes and a depth of 2 bytes. */
const DIGEST_BYTES = 34;

function unreadableBagError(reason: string) {
	return new InvalidValue(
		`a bag of cells (BOC), the data format of TON, without errors: ${reason}`,
	);
}

/** Parses a bag of cells with one root, given in base64. */
export const parseBag: Parse<Cell> = (given) => parseBagWithin(given, UNBOUNDED);

/** The limits for a bag. Several bags may share one budget. */
interface BagBudget {
	readonly characters: Budget;
	readonly hashes: Budget;
}

/** A budget without a limit. The limits of a single bag (`MAX_BAG_BYTES`, `MAX_CELLS`) still apply. */
const UNBOUNDED: BagBudget = {
	characters: new Budget(Infinity, ''),
	hashes: new Budget(Infinity, ''),
};

/** The most cells that a message from outside can have: it has at most 65,535 bytes, and a cell takes at least four. */
const MAX_GIVEN_HASHES = 16_384;
/** Three kilobytes for the body of each of 255 messages would be a megabyte in base64. */
const MAX_GIVEN_CHARS = 1_500_000;

/** Makes a parser of bags from a workflow. All bags that this parser parses share one limit of size. */
export function bagParser(): Parse<Cell> {
	const wanted = 'a bag of cells (BOC), where all such bags together have at most';
	const budget = {
		characters: new Budget(MAX_GIVEN_CHARS, `${wanted} ${MAX_GIVEN_CHARS} characters`),
		hashes: new Budget(MAX_GIVEN_HASHES, `${wanted} ${MAX_GIVEN_HASHES} cells`),
	};
	return (given) => parseBagWithin(given, budget);
}

/** Parses a single bag from a workflow. */
export const parseGivenBag: Parse<Cell> = (given) => bagParser()(given);

function parseBagWithin(given: unknown, { characters, hashes }: BagBudget): Cell {
	if (typeof given !== 'string' || given.trim() === '')
		throw new InvalidValue('a bag of cells (BOC), the data format of TON, in base64');
	if (given.length > MAX_BAG_CHARS) throw tooLargeError();
	characters.spend(given.length);
	const bytes = decodeBase64(given);
	return bytes
		? parseBagBytes(bytes, hashes)
		: raise(
				new InvalidValue(
					'a bag of cells (BOC) in complete base64: characters are missing or wrong',
				),
			);
}

function tooLargeError() {
	return unreadableBagError(`it is larger than ${MAX_BAG_BYTES / 1_000_000} MB`);
}

/**
 * Reads a bag of any of the three kinds (see the `MAGIC` constants). The work is limited by the true length of the
 * bag, even if lengths inside the bag are false.
 */
export function parseBagBytes(bytes: Uint8Array, hashes = UNBOUNDED.hashes): Cell {
	if (bytes.length > MAX_BAG_BYTES) throw tooLargeError();
	const reader = new BagReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
	const header = readHeader(reader);
	hashes.spend(header.cells);
	const data = reader.takeBytes(header.dataBytes);
	if (header.hasChecksum) reader.checkChecksum();
	if (!reader.isAtEnd) throw unreadableBagError('it has bytes left over');
	return buildCells(data, header, hashes);
}

interface BagHeader {
	/** How many bytes the number of a cell takes in the bag. */
	readonly numberBytes: number;
	readonly hasChecksum: boolean;
	readonly cells: number;
	readonly root: number;
	readonly dataBytes: number;
}

function readHeader(reader: BagReader): BagHeader {
	const magic = reader.takeNumber(4);
	if (![MAGIC, MAGIC_WITH_INDEX, MAGIC_WITH_INDEX_AND_CHECKSUM].includes(magic))
		throw new InvalidValue(
			'a bag of cells (BOC), the data format of TON: the given data does not begin like one',
		);
	const flags = reader.takeNumber(1);
	const numberBytes = magic === MAGIC ? flags & NUMBER_BYTES_MASK : flags;
	const offsetBytes = reader.takeNumber(1);
	if (
		numberBytes < 1 ||
		numberBytes > MAX_NUMBER_BYTES ||
		offsetBytes < 1 ||
		offsetBytes > MAX_OFFSET_BYTES
	)
		throw unreadableBagError('the sizes in its header are impossible');
	if (magic === MAGIC && flags & ~(INDEX_FLAG | CHECKSUM_FLAG | NUMBER_BYTES_MASK) & ~CACHE_FLAG)
		throw unreadableBagError('it has flags that are not known');
	const [cells, roots, absent] = [1, 2, 3].map(() => reader.takeNumber(numberBytes)) as [
		number,
		number,
		number,
	];
	const dataBytes = reader.takeNumber(offsetBytes);
	checkCounts(cells, roots, absent);
	const root = magic === MAGIC ? reader.takeNumber(numberBytes) : 0;
	if (root >= cells) throw unreadableBagError('its root is not there');
	// The index is skipped, because the positions of the cells follow from the cells themselves.
	if (magic !== MAGIC || flags & INDEX_FLAG) reader.takeBytes(cells * offsetBytes);
	const hasChecksum =
		magic === MAGIC ? (flags & CHECKSUM_FLAG) !== 0 : magic === MAGIC_WITH_INDEX_AND_CHECKSUM;
	return { numberBytes, hasChecksum, cells, root, dataBytes };
}

function checkCounts(cells: number, roots: number, absent: number): void {
	if (roots !== 1) throw unreadableBagError(`it has ${roots} roots, not one`);
	if (absent > 0) throw unreadableBagError('it says that some of its cells are missing');
	if (cells < 1 || cells > MAX_CELLS)
		throw unreadableBagError(`it has ${cells} cells, which must be 1 to ${MAX_CELLS}`);
}

class BagReader {
	private at = 0;

	constructor(private readonly bytes: Buffer) {}

	get isAtEnd(): boolean {
		return this.at === this.bytes.length;
	}

	/**
	 * Takes a number of this many bytes. A number of 7 or 8 bytes may lose digits, but is then too large for any bag
	 * anyway.
	 */
	takeNumber(length: number): number {
		return this.takeBytes(length).reduce((number, byte) => number * 256 + byte, 0);
	}

	takeBytes(length: number): Buffer {
		const start = this.at;
		if (length > this.bytes.length - start) throw unreadableBagError('it ends too early');
		this.at += length;
		return this.bytes.subarray(start, this.at);
	}

	/** Throws unless the next bytes are the checksum of all bytes before them. */
	checkChecksum(): void {
		const computed = computeCrc32c(this.bytes.subarray(0, this.at));
		if (this.takeBytes(CHECKSUM_BYTES).readUInt32LE() !== computed)
			throw unreadableBagError('its checksum (CRC-32C) is wrong');
	}
}

/** Cells are built from the last to the first, because references only lead to later cells. */
function buildCells(data: Buffer, { cells, root, numberBytes }: BagHeader, hashes: Budget): Cell {
	const starts = findCells(data, cells, numberBytes);
	const built: Cell[] = new Array<Cell>(cells);
	for (let index = cells - 1; index >= root; index--) {
		const start = starts[index] ?? 0;
		const references: Cell[] = [];
		const end = starts[index + 1] ?? 0;
		for (let at = end - numberBytes * countReferences(data, start); at < end; at += numberBytes) {
			const number = data.readUIntBE(at, numberBytes);
			const found = number > index ? built[number] : undefined;
			references.push(
				found ?? raise(unreadableBagError('a cell refers to one that does not come after it')),
			);
		}
		const cell = buildCell(data, start, references);
		hashes.spend(cell.hashCount - 1);
		built[index] = cell;
	}
	return built[root] as Cell;
}

/** Finds the position of each cell and the end of the last cell. Throws if the cells do not fill the bytes exactly. */
function findCells(data: Buffer, cells: number, numberBytes: number): Uint32Array {
	const starts = new Uint32Array(cells + 1);
	let at = 0;
	for (let index = 0; index < cells; index++) {
		const references = countReferences(data, at);
		if (references > MAX_CELL_REFERENCES)
			throw unreadableBagError(`a cell has ${references} references`);
		at = findContent(data, at) + countContentBytes(data, at) + references * numberBytes;
		if (at > data.length) throw unreadableBagError('a cell ends too early');
		starts[index + 1] = at;
	}
	if (at !== data.length) throw unreadableBagError('its cells take fewer bytes than it says');
	return starts;
}

function countReferences(data: Buffer, start: number): number {
	return (data[start] ?? 0) & REFERENCES_MASK;
}

/** Finds where the content of a cell begins: after its two descriptor bytes, and after the hashes that some cells store. */
function findContent(data: Buffer, start: number): number {
	const descriptor = data[start] ?? 0;
	if (!(descriptor & HASHES_FLAG)) return start + 2;
	return start + 2 + DIGEST_BYTES * (1 + countBits(descriptor >> LEVEL_SHIFT));
}

function countContentBytes(data: Buffer, start: number): number {
	return Math.ceil((data[start + 1] ?? 0) / 2);
}

function buildCell(data: Buffer, start: number, references: readonly Cell[]): Cell {
	const descriptor = data[start] ?? 0;
	const contentAt = findContent(data, start);
	const bits = countContentBits(data, start, contentAt);
	const cell = new Cell(data, contentAt, bits, references, (descriptor & EXOTIC_FLAG) !== 0);
	return cell.levelMask === descriptor >> LEVEL_SHIFT
		? cell
		: raise(unreadableBagError('a cell is of another level than it says'));
}

/** Counts the bits of the content. If they end within a byte, a 1 and zeros fill up this byte. */
function countContentBits(data: Buffer, start: number, contentAt: number): number {
	const length = countContentBytes(data, start);
	if ((data[start + 1] ?? 0) % 2 === 0) return 8 * length;
	const last = data[contentAt + length - 1] ?? 0;
	return last & 0x7f
		? 8 * length - 32 + Math.clz32(last & -last)
		: raise(unreadableBagError('a cell is filled to whole bytes by nothing'));
}
