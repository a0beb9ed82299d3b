import { trimText } from '../values/parse';
import { formatTonAddresses, isRawAddress, parseTonAccount } from './address';

/**
 * The contents of a payment link. If the amount is left out, the payer enters it. Addresses stay as they were given.
 */
interface LinkedPayment {
	readonly to: string;
	/** The master of a jetton; undefined for coins. */
	readonly jetton: string | undefined;
	/** The amount in the smallest unit. */
	readonly value: bigint | undefined;
	readonly comment: string;
}

/** Formats a link for paying, which wallet apps open. */
export function formatPaymentLink({ to, jetton, value, comment }: LinkedPayment): string {
	const asked = [
		...(jetton === undefined ? [] : [`jetton=${formatForWallets(jetton)}`]),
		...(value === undefined ? [] : [`amount=${value}`]),
		...(comment === '' ? [] : [`text=${encodeURIComponent(comment)}`]),
	];
	const question = asked.length > 0 ? `?${asked.join('&')}` : '';
	return `ton://transfer/${formatForWallets(to)}${question}`;
}

/**
 * Formats an address in URL-safe base64 for wallet apps. Its bounceable flag says whether a payment to an address
 * without code comes back.
 */
function formatForWallets(address: string): string {
	return isRawAddress(address)
		? formatTonAddresses(parseTonAccount(address)).nonBounceable
		: trimText(address).replace(/\+/g, '-').replace(/\//g, '_');
}
