import {
	parseAccount,
	ContractFailure,
	getBook,
	changeAccount,
	getLimits,
	type TronWeb,
} from './accounts.mts';
import { getHeadNumber } from './blocks.mts';
import { checkContract, type Contract } from './contracts.mts';
import type { ContractContext } from './context.mts';
import type { Outcome } from './state.mts';
import { withResource, type Transaction } from './transactions.mts';

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
export async function broadcast(transaction: SignedTransaction, context: ContractContext) {
	const { txID: txid } = transaction;
	try {
		await includeTransaction(transaction, context);
		return { result: true, txid };
	} catch (error) {
		if (error instanceof BroadcastFailure) return refusal(error.code, error.message);
		if (error instanceof ContractFailure) return refusal('CONTRACT_VALIDATE_ERROR', error.message);
		throw error;
	}

	function refusal(code: string, words: string) {
		const message = context.visible ? words : Buffer.from(words).toString('hex');
		return { code, txid, message };
	}
}

async function includeTransaction(
	transaction: SignedTransaction,
	context: ContractContext,
): Promise<void> {
	const { wallet, visible, tronWeb } = context;
	const { txID: txid, raw_data } = transaction;
	if (!isConsistent(transaction, tronWeb)) {
		throw new BroadcastFailure('SIGERROR', 'txID, raw_data and raw_data_hex do not match');
	}
	const isKnown = () => wallet.broadcast.some((other) => other.txid === txid);
	if (isKnown()) throw duplicateTransactionError();
	if (raw_data.expiration <= Date.now()) {
		throw new BroadcastFailure('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
	}
	const [{ type, parameter }] = raw_data.contract;
	const { value } = parameter;
	const owner = parseAccount(value.owner_address, visible, tronWeb);
	checkSignature(transaction, owner, tronWeb);
	const include = await checkContract({ type, value } as Contract, {
		...context,
		feeLimit: raw_data.fee_limit ?? 0,
	});
	// One of two broadcasts at once is a repetition: the other was noted while this one was checked.
	if (isKnown()) throw duplicateTransactionError();
	const noted = {
		txid,
		type,
		owner_address: owner,
		transaction,
		// It is pending while it is carried out.
		block: Infinity,
	};
	const entry = { ...noted, outcome: payBandwidth(transaction, owner, context) };
	wallet.broadcast.push(entry);
	const memoFee = payMemo(raw_data, owner, context);
	const { fee = 0, ...more } = await include();
	Object.assign(entry.outcome, more, { fee: fee + memoFee + entry.outcome.net_fee });
	entry.block = getHeadNumber(wallet.clock) + 1;
}

const duplicateTransactionError = () =>
	new BroadcastFailure('DUP_TRANSACTION_ERROR', 'Dup transaction.');

const SIGNATURE_BYTES = 69;
/** Sun for a byte that nothing else pays for. */
const BYTE_PRICE_SUN = 1000;

/** Bandwidth is paid by what the account has of it, else in coins. */
function payBandwidth(
	{ raw_data_hex }: Transaction,
	owner: string,
	context: ContractContext,
): Outcome {
	const { wallet, tronWeb } = context;
	const size = raw_data_hex.length / 2 + SIGNATURE_BYTES;
	const book = getBook(owner, wallet, tronWeb);
	const { freeNet, net } = getLimits(book);
	const isCovered = book.changes.netUsed + size <= freeNet + net;
	const net_fee = isCovered ? 0 : size * BYTE_PRICE_SUN;
	changeAccount(owner, wallet, (books) => {
		if (isCovered) books.netUsed += size;
		books.balance -= net_fee;
	});
	return { fee: 0, net_usage: isCovered ? size : 0, net_fee, energy: 0, energy_fee: 0 };
}

export const MEMO_FEE_SUN = 1_000_000;

function payMemo(
	{ data = '' }: Transaction['raw_data'],
	owner: string,
	{ wallet }: ContractContext,
): number {
	if (data === '') return 0;
	changeAccount(owner, wallet, (books) => (books.balance -= MEMO_FEE_SUN));
	return MEMO_FEE_SUN;
}

function isConsistent(transaction: SignedTransaction, { utils }: TronWeb): boolean {
	try {
		return utils.transaction.txCheck(withResource(transaction));
	} catch {
		return false;
	}
}

function checkSignature(
	{ txID, signature = [] }: SignedTransaction,
	owner: string,
	tronWeb: TronWeb,
) {
	const [only, ...others] = signature;
	if (!only || others.length > 0) throw badSignatureError('exactly one signature is required');
	const signer = recoverSigner(txID, only, tronWeb);
	if (signer !== owner) throw badSignatureError(`it is signed by ${signer}, not by ${owner}`);
}

function recoverSigner(txID: string, signature: string, { utils }: TronWeb): string {
	try {
		return utils.crypto.ecRecover(txID, signature).toLowerCase();
	} catch {
		throw badSignatureError('the signature is malformed');
	}
}

const badSignatureError = (words: string) =>
	new BroadcastFailure('SIGERROR', `Validate signature error: ${words}`);
