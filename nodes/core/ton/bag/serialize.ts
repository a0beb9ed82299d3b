import { encodeBitLength, encodeReferences, type Cell } from '../cell';
import { computeCrc32c } from '../crc32c';

const MAGIC = 0xb5ee9c72;
const CHECKSUM_FLAG = 0x40;
const CHECKSUM_BYTES = 4;

/**
 * Serializes cells to a bag with a checksum and without an index. Each cell occurs once, in the order that the common
 * libraries use.
 */
export function serializeBag(root: Cell): Buffer {
	const cells = sortCells(root);
	const numbers = new Map(cells.map((cell, index) => [cell.key, index]));
	const numberBytes = countBytes(cells.length);
	const data = Buffer.concat(cells.map((cell) => encodeCell(cell, numbers, numberBytes)));
	const offsetBytes = countBytes(data.length);
	const header = Buffer.concat([
		encodeNumber(MAGIC, 4),
		Buffer.from([CHECKSUM_FLAG | numberBytes, offsetBytes]),
		...[cells.length, 1, 0].map((number) => encodeNumber(number, numberBytes)),
		encodeNumber(data.length, offsetBytes),
		encodeNumber(0, numberBytes),
	]);
	const body = Buffer.concat([header, data]);
	const checksum = Buffer.alloc(CHECKSUM_BYTES);
	checksum.writeUInt32LE(computeCrc32c(body));
	return Buffer.concat([body, checksum]);
}

export function formatBag(root: Cell): string {
	return serializeBag(root).toString('base64');
}

/**
 * Sorts cells so that each cell comes before the cells that it refers to. Equal cells occur once. The cells of a
 * first reference come before those of a second.
 */
function sortCells(root: Cell): Cell[] {
	const sorted: Cell[] = [];
	const seen = new Set([root.key]);
	const open = [{ cell: root, left: root.references.length }];
	for (let top = open[open.length - 1]; top; top = open[open.length - 1]) {
		const next = top.left > 0 ? top.cell.references[--top.left] : undefined;
		if (!next) {
			sorted.push(top.cell);
			open.pop();
		} else if (!seen.has(next.key)) {
			seen.add(next.key);
			open.push({ cell: next, left: next.references.length });
		}
	}
	return sorted.reverse();
}

function encodeCell(cell: Cell, numbers: ReadonlyMap<string, number>, numberBytes: number): Buffer {
	const { content, bits, references, isExotic, levelMask } = cell;
	const referencesAt = 2 + content.length;
	const bytes = Buffer.allocUnsafe(referencesAt + numberBytes * references.length);
	bytes[0] = encodeReferences(references.length, isExotic, levelMask);
	bytes[1] = encodeBitLength(bits);
	bytes.set(content, 2);
	references.forEach(({ key }, index) => {
		bytes.writeUIntBE(numbers.get(key) ?? 0, referencesAt + numberBytes * index, numberBytes);
	});
	return bytes;
}

function countBytes(number: number): number {
	return Math.max(1, Math.ceil(number.toString(2).length / 8));
}

function encodeNumber(number: number, length: number): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.writeUIntBE(number, 0, length);
	return bytes;
}
