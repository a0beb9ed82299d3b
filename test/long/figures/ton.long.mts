import { CellBuilder } from '../../../nodes/core/ton/builder';
import type { Cell } from '../../../nodes/core/ton/cell';
import { parseBagBytes } from '../../../nodes/core/ton/bag/parse';
import { serializeBag } from '../../../nodes/core/ton/bag/serialize';
import { figure } from '../../harness/figure.mts';
import { measureCpu } from '../resources.mts';

const MEGABYTE = 1_000_000;

/** Builds a tree of cells with a total of about a megabyte. Each cell has the given number of bytes. */
function buildBag(bytesOfACell: number): Buffer {
	const count = Math.floor(MEGABYTE / (bytesOfACell + 5));
	const cells: Cell[] = [];
	for (let at = count - 1; at >= 0; at--) {
		const content = Buffer.alloc(bytesOfACell);
		content.writeUInt32BE(at);
		const builder = new CellBuilder().storeBytes(content);
		for (let side = 1; side <= 4; side++) {
			const below = cells[4 * at + side];
			if (below) builder.storeReference(below);
		}
		cells[at] = builder.build();
	}
	return serializeBag(cells[0] as Cell);
}

test.each([
	['as small as can be', 11],
	['full', 127],
])('a bag of cells that are %s', async (what, bytesOfACell) => {
	const bag = buildBag(bytesOfACell);
	parseBagBytes(bag);
	const parsing = await measureCpu(() => parseBagBytes(bag));
	const root = parseBagBytes(bag);
	const hashing = await measureCpu(() => root.hash);
	figure(
		`a bag of cells of ${bag.length.toLocaleString('en')} bytes, whose cells are ${what}: parsed in ${parsing.toFixed(0)} ms of the processor, hashed in ${hashing.toFixed(0)} ms`,
	);
});
