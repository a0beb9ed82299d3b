import { Torn } from '../behind';
import { blockAt, type Ask, type BlockRef, type Header } from '../header';

/** The chain's blocks at the heights of these. What happened may have been read on another branch than they are on. */
export async function onChain(
	ask: Ask,
	blocks: ReadonlyArray<Partial<BlockRef> & { readonly number: number }>,
): Promise<ReadonlyMap<number, Header>> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const headers = await Promise.all(numbers.map(async (number) => await blockAt(ask, number)));
	const found = new Map(headers.map((header) => [header.number, header]));
	const stray = blocks.find(({ number, hash }) => hash && hash !== found.get(number)?.hash);
	if (stray) throw new Torn(stray.number);
	return found;
}
