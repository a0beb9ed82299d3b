import type { NoncePlace } from './purse';

/** Public test networks, by their chain IDs. */
const TEST_CHAINS: ReadonlyMap<bigint, string> = new Map([
	[97n, 'BNB Testnet'],
	[300n, 'zkSync Testnet'],
	[43_113n, 'Fuji'],
	[80_002n, 'Amoy'],
	[84_532n, 'Base Sepolia'],
	[421_614n, 'Arbitrum Sepolia'],
	[534_351n, 'Scroll Sepolia Testnet'],
	[560_048n, 'Hoodi'],
	[11_155_111n, 'Sepolia'],
	[11_155_420n, 'OP Sepolia'],
]);

/** With this many transactions in front of it, a transaction may wait for long. */
const MANY_WAITING = 20n;

/** The node's count does not include transactions of the run itself. */
export async function findQueueHint(from: string, place: NoncePlace): Promise<string | undefined> {
	const { mined, next } = await place.account;
	if (mined === undefined || next - mined < MANY_WAITING) return undefined;
	return `${next - mined} transactions of ${from} are in no block yet, and come before this one. Prepare of Chain EVM RPC speeds up the first of them, with the kind Replacement.`;
}

export function findTestChainHint(chainId: bigint): string | undefined {
	const name = TEST_CHAINS.get(chainId);
	return name && `The chain is a test network, ${name}: payments there are worth nothing.`;
}
