import type { RestCaller, RestReader } from '../chain/reader';
import { readOnce, sharedKey } from '../net/pacing/shared';
import { invalidResponseError } from '../net/responses/response';
import { isRecord } from '../values/parse';
import { throwIfError } from './answers';
import { raise } from '../errors/raise';

/** The parameters of the chain that are prices, in sun. */
const KEYS = {
	energy: 'getEnergyFee',
	/** The price of each byte of a transaction for which the account has no bandwidth left. */
	'a byte': 'getTransactionFee',
	/** However long it is. */
	'a memo': 'getMemoFee',
	/** The price for the first coins that an account gets, in addition to the bytes. */
	'a new account': 'getCreateNewAccountFeeInSystemContract',
	/** The fee in place of the byte prices, if no frozen coins cover the bytes. */
	'the bytes of a new account': 'getCreateAccountFee',
} as const;

/** Throws if the chain gave no price. */
export type Prices = (of: keyof typeof KEYS) => bigint;

const PRICE_READS = sharedKey('witness.prices', () => new Map<'prices', Promise<Prices>>());

/** Reads the prices. They are read once in a run, and again after a failure. */
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
		// Energy has a price on every chain; one that is older than another price does not know its key.
		const value = values.get(KEYS[of]) ?? (of === 'energy' ? undefined : 0);
		return Number.isSafeInteger(value) && Number(value) >= 0
			? BigInt(Number(value))
			: raise(invalidResponseError(`the price of ${of}`, answer));
	};
	// Without it, the answer is none, and is asked for again.
	priceOf('energy');
	return priceOf;
}
