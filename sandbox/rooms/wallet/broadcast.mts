import { accountOf, ContractFailure } from './accounts.mts';
import { checked, type Contract, type Surroundings } from './contracts.mts';
import { headOf } from './blocks.mts';
import { bookOf, change, limitsOf } from './ledger.mts';
import type { Outcome } from './state.mts';
import type { Tools } from './tools.mts';
import { spelledOut, type Transaction } from './transactions.mts';

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
export async function broadcast(transaction: SignedTransaction, around: Surroundings) {
	const { txID: txid } = transaction;
	try {
		await execute(transaction, around);
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

async function execute(transaction: SignedTransaction, around: Surroundings): Promise<void> {
	const { wallet, visible, tools } = around;
	const { txID: txid, raw_data } = transaction;
	if (!hangsTogether(transaction, tools)) {
		throw new BroadcastFailure('SIGERROR', 'txID, raw_data and raw_data_hex do not match');
	}
	const isKnown = () => wallet.broadcast.some((other) => other.txid === txid);
	if (isKnown()) throw repeated();
	if (raw_data.expiration <= Date.now()) {
		throw new BroadcastFailure('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
	}
	const [{ type, parameter }] = raw_data.contract;
	const { value } = parameter;
	const owner = accountOf(value.owner_address, visible, tools);
	checkSignature(transaction, owner, tools);
	const include = await checked({ type, value } as Contract, {
		...around,
		feeLimit: raw_data.fee_limit ?? 0,
	});
	// Of two broadcasts at once, one is a repetition: the other was noted while this one was checked.
	if (isKnown()) throw repeated();
	const noted = { txid, type, owner_address: owner, transaction, block: headOf(wallet.clock) + 1 };
	const entry = { ...noted, outcome: bandwidth(transaction, owner, around) };
	wallet.broadcast.push(entry);
	const { fee = 0, ...more } = await include();
	Object.assign(entry.outcome, more, { fee: fee + entry.outcome.net_fee });
}

const repeated = () => new BroadcastFailure('DUP_TRANSACTION_ERROR', 'Dup transaction.');

const signatureSize = 69;
/** Sun for a byte that nothing else pays for. */
const netPrice = 1000;

/** Paid by what the account has of it, else in coins. */
function bandwidth({ raw_data_hex }: Transaction, owner: string, around: Surroundings): Outcome {
	const { wallet, tools } = around;
	const size = raw_data_hex.length / 2 + signatureSize;
	const book = bookOf(owner, wallet, tools);
	const { freeNet, net } = limitsOf(book);
	const isCovered = book.changes.netUsed + size <= freeNet + net;
	const net_fee = isCovered ? 0 : size * netPrice;
	change(owner, wallet, (books) => {
		if (isCovered) books.netUsed += size;
		books.balance -= net_fee;
	});
	return { fee: 0, net_usage: isCovered ? size : 0, net_fee, energy: 0, energy_fee: 0 };
}

function hangsTogether(transaction: SignedTransaction, { utils }: Tools): boolean {
	try {
		return utils.transaction.txCheck(spelledOut(transaction));
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
