import { ec, hash, type InvocationsSignerDetails } from 'starknet';
import { padFelt } from '../harness/starkChain.mts';

/** A transaction that the node Chain STARK has prepared. */
export interface PreparedInvoke {
	readonly chainId: string;
	readonly sender_address: string;
	readonly calldata: string[];
	readonly nonce: string;
	readonly tip: string;
	readonly resource_bounds: Readonly<
		Record<string, { readonly max_amount: string; readonly max_price_per_unit: string }>
	>;
}

/** Computes the hash of a transaction in the way of the library starknet.js. */
export function hashInvoke(transaction: PreparedInvoke): string {
	const bounds = Object.entries(transaction.resource_bounds).map(([name, bound]) => [
		name,
		{
			max_amount: BigInt(bound.max_amount),
			max_price_per_unit: BigInt(bound.max_price_per_unit),
		},
	]);
	return hash.calculateInvokeTransactionHash({
		senderAddress: transaction.sender_address,
		version: '0x3',
		compiledCalldata: transaction.calldata,
		chainId: transaction.chainId as InvocationsSignerDetails['chainId'],
		nonce: transaction.nonce,
		accountDeploymentData: [],
		nonceDataAvailabilityMode: 0,
		feeDataAvailabilityMode: 0,
		resourceBounds: Object.fromEntries(bounds) as InvocationsSignerDetails['resourceBounds'],
		tip: transaction.tip,
		paymasterData: [],
	});
}

/** Signs a transaction in the way of the library starknet.js. Returns the signature and the hash that it signs. */
export function signInvoke(transaction: PreparedInvoke, privateKey: string) {
	const message = hashInvoke(transaction);
	const { r, s } = ec.starkCurve.sign(message, privateKey);
	const signature = [r, s].map((felt) => `0x${felt.toString(16)}`);
	return { signature, hash: padFelt(message) };
}

/** Signs a prepared transaction. Returns the signed transaction as JSON, and its hash. */
export function signPreparedInvoke(transaction: PreparedInvoke, privateKey: string) {
	const { signature, hash: transactionHash } = signInvoke(transaction, privateKey);
	return { signed: JSON.stringify({ ...transaction, signature }), hash: transactionHash };
}
