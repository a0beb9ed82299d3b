import type { RestCaller, RestReader } from '../chain/reader';
import { readOnce, sharedKey } from '../net/pacing/shared';
import { invalidResponseError } from '../net/responses/response';
import { isRecord } from '../values/parse';
import { throwIfError } from './answers';
import { raise } from '../errors/raise';

/** The names of the chain's parameters that are prices in sun. */
const KEYS = {
	energy: 'getEnergyFee',
	/** The price of each byte of a transaction for which the account has no bandwidth left. */
	'a byte': 'getTransactionFee',
	/** However long it is. */
	'a memo': 'getMemoFee',
	/** The price of creating an account, paid with the first coins that it gets. The fee for the bytes is added. */
	'a new account': 'getCreateNewAccountFeeInSystemContract',
	/**
	 * The fee for the bytes of a transaction that creates an account. It is charged if no frozen coins cover the bytes.
	 */
	'the bytes of a new account': 'getCreateAccountFee',
} as const;

/** Returns a price in sun. Throws if the chain gave no such price. */
export type Prices = (of: keyof typeof KEYS) => bigint;

const PRICE_READS = sharedKey('witness.prices', () => new Map<'prices', Promise<Prices>>());

/** Reads the prices of the chain. A run reads them once, and again only after a failure. */
export async function readPricesOnce(reader: RestReader): Promise<Prices> {
	const read = async () => await readPrices(reader);
	return await readOnce(reader.shared(PRICE_READS), 'prices', read);
}

async function readPrices({ call }: RestCaller): Promise<Prices> {
	const answer = throwIfError(await call({ path: '/wallet/getchainparameters', body: {} }));
	const rows: readonly unknown[] =
		isRecord(answer) && Array.isArray(answer.chainParameter) ? answer.chainParameter : [];
	// The chain leaves out zeros.
	const values = new Map(rows.filter(isRecord).map(({ key, value = 0 }) => [key, value]));
	const priceOf: Prices = (of) => {
		// Energy has a price on every chain. An old chain may lack the other prices, which are then 0.
		const value = values.get(KEYS[of]) ?? (of === 'energy' ? undefined : 0);
		return Number.isSafeInteger(value) && Number(value) >= 0
			? BigInt(Number(value))
			: raise(invalidResponseError(`the price of ${of}`, answer));
	};
	// The call throws if the answer has no price of energy. Then the answer is not kept, and the prices are requested
	// again.
	priceOf('energy');
	return priceOf;
}
