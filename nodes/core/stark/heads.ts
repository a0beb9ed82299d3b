import type { RpcReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import type { BlockRef } from '../chain/blocks';
import { formatBlock, PRE_CONFIRMED_MINOR_VERSION, findBlock } from './blocks';
import { readMinorVersion } from './reader';
import { readBlockRef } from './branch';
import { raise } from '../errors/raise';

/** How final a block must be before it is read. */
export type Acceptance = 'acceptedOnL1' | 'acceptedOnL2';

/** The newest blocks of the chain. */
interface Heads {
	/** The latest block that is accepted on L2. */
	readonly latest: BlockRef;
	/** The last block that may be read. */
	readonly last: BlockRef;
}

/** Reads the latest block, and the last block that is final enough to be read. */
export async function readHeads(reader: RpcReader, until: Acceptance, next = 0): Promise<Heads> {
	const latest = (await readBlockRef(reader, 'latest')) ?? raise(noBlockError('accepted yet'));
	if (until === 'acceptedOnL2') return { latest, last: latest };
	const isNamed = (await readMinorVersion(reader)) >= PRE_CONFIRMED_MINOR_VERSION;
	const last = isNamed
		? await readBlockRef(reader, 'l1_accepted')
		: await findLastOnL1(reader, { low: next - 1, high: latest.number });
	return { latest, last: last ?? raise(noBlockError('accepted on L1 yet')) };
}

function noBlockError(lack: string): RequestFailure {
	return new RequestFailure(`The chain node says that no block is ${lack}`, {
		description:
			'The chain or the chain node may be new. Run the workflow again later, or use another chain node.',
	});
}

/**
 * Finds the last block on L1. Older nodes have no name for it, so it is found by bisection: every block up to it says
 * that it is accepted on L1.
 */
async function findLastOnL1(
	reader: RpcReader,
	{ low, high }: { readonly low: number; readonly high: number },
): Promise<BlockRef | null> {
	let known = low >= 0 && (await isOnL1(reader, low)) ? low : -1;
	let unknown = high + 1;
	while (unknown - known > 1) {
		const middle = Math.floor((known + unknown) / 2);
		if (await isOnL1(reader, middle)) known = middle;
		else unknown = middle;
	}
	return known < 0 ? null : await readBlockRef(reader, { block_number: known });
}

async function isOnL1(reader: RpcReader, number: number): Promise<boolean> {
	const block = await findBlock(reader, { block_number: number });
	return block !== null && formatBlock(block).status === 'acceptedOnL1';
}
