import { checksumAddress } from '../address';
import type { TokenDomain } from './authorization';
import { encodeHeader, PAYMENT_HEADERS, RECEIPT_HEADERS, REQUIRED_HEADER } from './headers';
import { findNetworkName, formatNetwork } from './networks';

/** The goods and their price. */
export interface Sale {
	readonly domain: TokenDomain;
	readonly to: string;
	/** The price of the sale, in the smallest unit of the token. */
	readonly value: bigint;
	readonly resourceUrl: string;
	readonly description: string;
	readonly mimeType: string;
	/** In seconds. */
	readonly maxTimeout: number;
}

/**
 * Formats the response 402 of a seller. The offer of version 2 of x402 is in its header, and the offer of version 1 in
 * its body.
 */
export function formatPaymentRequired(sale: Sale) {
	const { resourceUrl: url, description, mimeType } = sale;
	const required = {
		x402Version: 2,
		error: `${PAYMENT_HEADERS[2]} header is required`,
		resource: { url, description, mimeType },
		accepts: [formatOffer(sale)],
	};
	return {
		statusCode: 402,
		headers: { [REQUIRED_HEADER]: encodeHeader(required) },
		body: {
			x402Version: 1,
			error: `${PAYMENT_HEADERS[1]} header is required`,
			accepts: formatFirstOffers(sale),
		},
	};
}

function formatOffer({ domain, maxTimeout, to, value }: Sale) {
	const { name, version, chainId, verifyingContract } = domain;
	return {
		scheme: 'exact',
		network: formatNetwork(chainId),
		amount: String(value),
		asset: checksumAddress(verifyingContract),
		payTo: checksumAddress(to),
		maxTimeoutSeconds: maxTimeout,
		extra: { name, version },
	};
}

/** Returns the offers in version 1 of x402: none on a chain for which that version has no name. */
function formatFirstOffers(sale: Sale): readonly object[] {
	const network = findNetworkName(sale.domain.chainId);
	if (network === undefined) return [];
	const { amount, ...offer } = formatOffer(sale);
	const { resourceUrl: resource, description, mimeType } = sale;
	return [{ ...offer, network, maxAmountRequired: amount, resource, description, mimeType }];
}

interface Receipt {
	readonly chainId: bigint;
	readonly transactionHash: string;
	readonly payer: string;
	readonly success: boolean;
}

/** Formats the header that tells the buyer whether the payment was carried out. */
export function formatReceipt({ chainId, transactionHash, payer, success }: Receipt) {
	const receipt = {
		success,
		...(!success && { errorReason: 'invalid_exact_evm_transaction_failed' }),
		transaction: transactionHash,
		payer,
	};
	const network = formatNetwork(chainId);
	const first = { ...receipt, network: findNetworkName(chainId) ?? network };
	return {
		headers: {
			[RECEIPT_HEADERS[2]]: encodeHeader({ ...receipt, network }),
			[RECEIPT_HEADERS[1]]: encodeHeader(first),
		},
	};
}
