import { COINS } from '../../chain/payment';
import {
	insufficientFundsError,
	reservePlace,
	type Cost,
	type Place,
	type Purse,
} from '../../chain/purse';
import type { RestReader } from '../../chain/reader';
import { formatUnits, SUN_DECIMALS } from '../../values/units';
import { readAccount, readResources, type Resources } from '../accounts';
import { formatWitnessAddresses } from '../address';
import { sharedKey } from '../../net/pacing/shared';

/** An account that pays. The chain does not number transactions, so `next` counts the transactions of the run. */
export interface Payer {
	readonly next: bigint;
	readonly balance: bigint;
	readonly resources: Resources;
}

const PURSES = sharedKey('witness.purses', () => new Map<string, Purse<Payer>>());

/**
 * Reserves the next place among the payments of an account, in the order of the items. The account is 40 hex digits.
 */
export function reservePayment(reader: RestReader, from: string): Place<Payer> {
	const read = async () => {
		const wanted = { address: formatWitnessAddresses(from).hex, visible: false };
		const [{ balance }, resources] = await Promise.all([
			readAccount(reader, wanted),
			readResources(reader, wanted),
		]);
		return { next: 0n, balance, resources };
	};
	return reservePlace(reader.shared(PURSES), from, read);
}

interface CoinCost {
	readonly from: string;
	readonly balance: bigint;
	/** The paid amount in sun. The property `fee` is in sun, too. */
	readonly sent: bigint;
	readonly fee: bigint;
}

/** Returns the cost of a payment in coins. */
export function getCoinCost({ from, balance, sent, fee }: CoinCost): Cost {
	return {
		amount: sent + fee,
		balance,
		throwShort: (earlier) => {
			throw insufficientFundsError(
				{
					needed: sent + fee,
					balance,
					format: formatCoins,
					description: `The balance of ${formatWitnessAddresses(from).base58} must cover the payment, ${formatCoins(sent)}, and a fee of ${formatCoins(fee)}.`,
				},
				earlier,
			);
		},
	};
}

/**
 * Refuses a payment that the account cannot afford. It is checked before a node builds the payment, because the
 * node's refusal would say less.
 */
export function checkCoins(cost: Cost): void {
	if (cost.balance !== undefined && cost.balance < cost.amount)
		cost.throwShort({ spent: 0n, count: 0 });
}

export function formatCoins(sun: bigint): string {
	return `${formatUnits(sun, SUN_DECIMALS)} ${COINS.witness.symbol}`;
}
