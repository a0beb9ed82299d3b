import { accountOf, ContractFailure } from './accounts.mts';
import { checked, type Contract, type Surroundings } from './contracts.mts';
import type { Tools } from './tools.mts';
import type { Transaction } from './transactions.mts';

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
		execute(transaction, around);
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

function execute(transaction: SignedTransaction, around: Surroundings): void {
	const { wallet, visible, tools } = around;
	const { txID: txid, raw_data } = transaction;
	if (!hangsTogether(transaction, tools)) {
		throw new BroadcastFailure('SIGERROR', 'txID, raw_data and raw_data_hex do not match');
	}
	if (wallet.broadcast.some((other) => other.txid === txid)) {
		throw new BroadcastFailure('DUP_TRANSACTION_ERROR', 'Dup transaction.');
	}
	if (raw_data.expiration <= Date.now()) {
		throw new BroadcastFailure('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
	}
	const [{ type, parameter }] = raw_data.contract;
	const { value } = parameter;
	const owner = accountOf(value.owner_address, visible, tools);
	checkSignature(transaction, owner, tools);
	const include = checked({ type, value } as Contract, around);
	include();
	wallet.broadcast.push({ txid, type, owner_address: owner, transaction });
}

function hangsTogether(transaction: SignedTransaction, { utils }: Tools): boolean {
	try {
		return utils.transaction.txCheck(transaction);
	} catch {
		return false;
	}
}

function checkSignature({ txID, signature = [] }: SignedTransaction, owner: string, tools: Tools) {
	const [only, ...others] = signature;
	if (!only || others.length > 0) throw badSignature('exactly one signature is required');
	const signer = signerOf(txID, only, tools);
	if (signer !== owner) throw badSignature(`it is signed by ${signer}, not by ${owner}`);
}

function signerOf(txID: string, signature: string, { utils }: Tools): string {
	try {
		return utils.crypto.ecRecover(txID, signature).toLowerCase();
	} catch {
		throw badSignature('the signature is malformed');
	}
}

const badSignature = (words: string) =>
	new BroadcastFailure('SIGERROR', `Validate signature error: ${words}`);
