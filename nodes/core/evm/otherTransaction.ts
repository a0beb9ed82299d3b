import { isSameMark } from '../chain/mark';
import type { JsonObject } from '../values/json';
import { isBlank } from '../values/parse';
import { ETHER_DECIMALS, formatUnits } from '../values/units';
import { checksumAddress } from './address';
import { readMark } from './mark';
import { quantityToDecimal } from './chainObjects';
import { findAuthorizedTransfer, findTokenTransfer } from './signedPayment';
import type { SignedTransaction } from './transactions/signed';

/** The effects of a payment, and its gas and price, which carry the number that identifies the payment. */
export type PaymentEffects = Pick<SignedTransaction, 'to' | 'value' | 'data' | 'gas' | 'price'>;

const ADDRESS_PATTERN = /^0x[0-9a-f]{40}$/i;
const BYTES_PATTERN = /^0x(?:[0-9a-f]{2})*$/i;

/** Reads the effects of a transaction from the JSON of a node; undefined if the JSON is malformed. */
export function readPaymentEffects(json: JsonObject): PaymentEffects | undefined {
	const { to, input = json.data } = json;
	const [value, gas, price] = [json.value, json.gas, json.maxFeePerGas ?? json.gasPrice].map(
		quantityToDecimal,
	);
	if (typeof input !== 'string' || !BYTES_PATTERN.test(input)) return undefined;
	if (typeof value !== 'string' || typeof gas !== 'string' || typeof price !== 'string')
		return undefined;
	const isReceiver = typeof to === 'string' && ADDRESS_PATTERN.test(to);
	if (!isReceiver && !isBlank(to)) return undefined;
	return {
		to: isReceiver ? to.toLowerCase() : undefined,
		value: BigInt(value),
		data: input.toLowerCase(),
		gas: BigInt(gas),
		price: BigInt(price),
	};
}

/** Whether two transactions pay the same. The numbers in them that identify a payment may differ. */
export function paysTheSame(one: PaymentEffects, other: PaymentEffects): boolean {
	return one.to === other.to && one.value === other.value && one.data === other.data;
}

/**
 * Whether two transactions of an account are the same payment: the same effects with the same identifying number, or the
 * same authorization.
 */
export function isSamePayment(one: PaymentEffects, other: PaymentEffects): boolean {
	if (areSameAuthorization(one, other)) return true;
	return paysTheSame(one, other) && isSameMark(readMark(one), readMark(other));
}

/**
 * Whether two transactions carry out the same authorization, of which a token accepts only one. They may be valid for
 * different times.
 */
function areSameAuthorization(one: PaymentEffects, other: PaymentEffects): boolean {
	const [own, theirs] = [findAuthorizedTransfer(one), findAuthorizedTransfer(other)];
	if (!own || !theirs) return false;
	const names = ['token', 'from', 'to', 'value', 'nonce'] as const;
	return names.every((name) => own[name] === theirs[name]);
}

/** Describes, in a sentence, the transaction that took the place of a payment. */
export function describeOther(
	other: PaymentEffects | undefined,
	own: PaymentEffects | undefined,
): string {
	if (!other) return 'The chain node does not say what that transaction does.';
	const what = describeEffects(other);
	return own && paysTheSame(own, other)
		? `That transaction ${what} as well: it is another payment, with another Payment ID or without one.`
		: `That transaction ${what}.`;
}

function describeEffects({ to, value, data }: PaymentEffects): string {
	const coins = `${formatUnits(value, ETHER_DECIMALS)} coins`;
	if (to === undefined) return 'deploys a contract';
	const receiver = checksumAddress(to);
	if (data === '0x') return `sends ${coins} to ${receiver}`;
	const transfer = findTokenTransfer({ to, value, data });
	if (transfer)
		return `sends ${transfer.value} of the smallest unit of the token ${receiver} to ${checksumAddress(transfer.to)}`;
	return value === 0n ? `calls ${receiver}` : `calls ${receiver} with ${coins}`;
}
