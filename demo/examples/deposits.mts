import { randomInt } from 'node:crypto';
import { HDNodeWallet } from 'ethers';
import { DEPOSITS_KEY } from '../run/credentials.mts';
import type { Demo } from '../run/demo.mts';

const ACCOUNT = HDNodeWallet.fromExtendedKey(DEPOSITS_KEY);
const TOKEN_UNIT = 10n ** 18n;
/** The examples derive the addresses of orders from lower indexes: the ids of the orders. */
const FIRST_FREE_INDEX = 100_000;
const INDEX_LIMIT = 2 ** 31;

/** Derives a deposit address of the demo with ethers. */
export function deriveDeposit(index: number): string {
	return ACCOUNT.derivePath(`0/${index}`).address;
}

/** Chooses the first index of a random range, which is very likely unused. */
export function chooseIndex(): number {
	return randomInt(FIRST_FREE_INDEX, INDEX_LIMIT - 1000);
}

/**
 * Pays tokens to three new addresses. The second address gets less than a sweep costs.
 * Returns settings that make the example ask a person.
 */
export async function fillDeposits({ chain }: Demo) {
	const firstIndex = chooseIndex();
	for (const [at, amount] of [7n * TOKEN_UNIT, TOKEN_UNIT, (11n * TOKEN_UNIT) / 2n].entries())
		await chain.transferTo(deriveDeposit(firstIndex + at), amount);
	return {
		accountKey: DEPOSITS_KEY,
		token: chain.token,
		firstIndex,
		lastIndex: firstIndex + 9,
		minAmount: '2',
		askAbove: '10',
	};
}
