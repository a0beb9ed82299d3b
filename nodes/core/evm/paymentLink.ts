import { checksumAddress } from './address';

/** The payment that a link asks for. If `value` is undefined, the payer enters the amount. */
interface LinkedPayment {
	readonly to: string;
	readonly chainId: bigint;
	/** Undefined for coins. */
	readonly token: string | undefined;
	/** The amount in the smallest unit. */
	readonly value: bigint | undefined;
}

/** Formats the link of a payment, which wallets can open (EIP-681). */
export function formatPaymentLink({ to, chainId, token, value }: LinkedPayment): string {
	const receiver = checksumAddress(to);
	if (token === undefined) {
		return `ethereum:${receiver}@${chainId}${value === undefined ? '' : `?value=${value}`}`;
	}
	const amount = value === undefined ? '' : `&uint256=${value}`;
	return `ethereum:${checksumAddress(token)}@${chainId}/transfer?address=${receiver}${amount}`;
}
