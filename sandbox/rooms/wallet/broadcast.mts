import type { Surroundings } from './contracts.mts';
import { check, type Contract, type Transaction } from './transactions.mts';
import { ContractFailure, type Tron } from './tron.mts';

export interface SignedTransaction extends Transaction {
	signature?: string[];
}

class BroadcastFailure extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/** Includes a signed transaction, or says why not; the refusal has no `result`. */
export function broadcast(transaction: SignedTransaction, around: Surroundings) {
	const { txID: txid } = transaction;
	try {
		include(transaction, around);
		return { result: true, txid };
	} catch (error) {
		if (error instanceof BroadcastFailure) return refusal(error.code, error.message);
		if (error instanceof ContractFailure) return refusal('CONTRACT_VALIDATE_ERROR', error.message);
		throw error;
	}

	function refusal(code: string, words: string) {
		const message = around.visible ? words : Buffer.from(words).toString('hex');
		return { code, txid, message };
	}
}

function include(transaction: SignedTransaction, around: Surroundings): void {
	const { wallet, tron } = around;
	const { txID: txid, raw_data } = transaction;
	if (!hangsTogether(transaction, tron)) {
		throw new BroadcastFailure('SIGERROR', 'txID, raw_data and raw_data_hex do not match');
	}
	if (wallet.broadcast.some((other) => other.txid === txid)) {
		throw new BroadcastFailure('DUP_TRANSACTION_ERROR', 'Dup transaction.');
	}
	if (raw_data.expiration <= Date.now()) {
		throw new BroadcastFailure('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
	}
	const [{ type, parameter }] = raw_data.contract;
	const checked = check({ type, value: parameter.value } as Contract, around);
	checkSignature(transaction, checked.owner, tron);
	checked.include();
	wallet.broadcast.push({ txid, type, owner_address: checked.owner, transaction });
}

function hangsTogether(transaction: SignedTransaction, { utils }: Tron): boolean {
	try {
		return utils.transaction.txCheck(transaction);
	} catch {
		return false;
	}
}

function checkSignature({ txID, signature = [] }: SignedTransaction, owner: string, tron: Tron) {
	const [only, ...others] = signature;
	if (!only || others.length > 0) throw badSignature('exactly one signature is required');
	const signer = signerOf(txID, only, tron);
	if (signer !== owner) throw badSignature(`it is signed by ${signer}, not by ${owner}`);
}

function signerOf(txID: string, signature: string, { utils }: Tron): string {
	try {
		return utils.crypto.ecRecover(txID, signature).toLowerCase();
	} catch {
		throw badSignature('the signature is malformed');
	}
}

const badSignature = (words: string) =>
	new BroadcastFailure('SIGERROR', `Validate signature error: ${words}`);
