import { ETHER_DECIMALS, formatUnits } from '../../values/units';

export interface Prepared {
	/** The beginning of the sentence. */
	readonly sentence: string;
	/** The highest fee, in wei. */
	readonly fee: bigint;
	readonly chainId: bigint;
	readonly nonce: bigint;
	/** How many pending transactions are before the transaction; undefined if they were not counted. */
	readonly waiting: bigint | undefined;
	/** The contract that a deployment creates. */
	readonly contractAddress: string | null;
}

/** Describes what a transaction does in one sentence, for the person who approves it. */
export function formatSummary(prepared: Prepared): string {
	const { sentence, fee, chainId, nonce, waiting, contractAddress } = prepared;
	return [
		`${sentence} for a fee of at most ${formatCoins(fee)} on chain ${chainId}`,
		`nonce ${nonce}`,
		...(waiting ? [`after ${formatWaiting(waiting)} in no block yet`] : []),
		...(contractAddress === null ? [] : [`at the address ${contractAddress}`]),
	]
		.join(', ')
		.concat('.');
}

function formatWaiting(waiting: bigint): string {
	return waiting === 1n ? '1 transaction that is' : `${waiting} transactions that are`;
}

/** An exact amount of coins. */
export function formatCoins(wei: bigint): string {
	const amount = formatUnits(wei, ETHER_DECIMALS);
	return `${amount} ${amount === '1' ? 'coin' : 'coins'}`;
}

/** Describes the coins that are sent with a call; empty if there are none. */
export function formatCoinsAlong(wei: bigint): string {
	return wei > 0n ? ` with ${formatCoins(wei)} along` : '';
}
