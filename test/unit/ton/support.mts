import { Address, beginCell, Cell as OracleCell } from '@ton/core';
import fc from 'fast-check';
import type { TonAccount } from '../../../nodes/core/ton/address';
import type { Cell } from '../../../nodes/core/ton/cell';
import { serializeBag } from '../../../nodes/core/ton/bag/serialize';

export function toOracle(cell: Cell): OracleCell {
	return OracleCell.fromBoc(serializeBag(cell))[0] as OracleCell;
}

const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

export const accounts = fc
	.tuple(fc.constantFrom(0x00, 0xff), hashes)
	.map(([workchain, hash]): TonAccount => ({ workchain, hash, isTestOnly: false }));

export function oracleAddress({ workchain, hash }: TonAccount): Address {
	return new Address(workchain === 0xff ? -1 : workchain, hash);
}

interface CellPlan {
	readonly content: Uint8Array;
	/** The number of zero bits after the content. */
	readonly bits: number;
	/** The positions of the earlier cells to which this cell refers. */
	readonly below: readonly number[];
}

const plans: fc.Arbitrary<CellPlan[]> = fc.array(
	fc.record({
		content: fc.uint8Array({ maxLength: 127 }),
		bits: fc.nat(7),
		below: fc.array(fc.nat(), { maxLength: 4 }),
	}),
	{ minLength: 1, maxLength: 24 },
);

/** Random trees of cells, in which cells may share a child. */
export const oracleCells = plans.map((list) => {
	const built: OracleCell[] = [];
	for (const { content, bits, below } of list) {
		const builder = beginCell().storeBuffer(Buffer.from(content)).storeUint(0, bits);
		for (const at of below) if (built.length > 0) builder.storeRef(built[at % built.length]!);
		built.push(builder.endCell());
	}
	return built[built.length - 1] as OracleCell;
});
