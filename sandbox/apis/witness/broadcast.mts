import {
	parseAccount,
	ContractFailure,
	getBook,
	changeAccount,
	getLimits,
	type TronWeb,
} from './accounts.mts';
import { getBlockTimestamp, getHeadNumber } from './blocks.mts';
import { checkContract, type Contract, type TransferValue } from './contracts.mts';
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

/** Includes a signed transaction in the chain. If the transaction is refused, the answer has no field `result`. */
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
	const bytes = payBytes(transaction, owner, context);
	const include = await checkContract({ type, value } as Contract, {
		...context,
		feeLimit: raw_data.fee_limit ?? 0,
	}).catch((refusal: unknown) => {
		bytes.giveBack();
		throw refusal;
	});
	// Another request may have broadcast the same transaction while this request was checked.
	if (isKnown()) {
		bytes.giveBack();
		throw duplicateTransactionError();
	}
	const noted = {
		txid,
		type,
		owner_address: owner,
		transaction,
		// The block is Infinity while the transaction is carried out, so it counts as pending.
		block: Infinity,
	};
	const entry = { ...noted, outcome: bytes.outcome };
	wallet.broadcast.push(entry);
	const { clock } = wallet;
	changeAccount(owner, wallet, (books) => {
		books.operatedAt = getBlockTimestamp(clock, getHeadNumber(clock));
	});
	const memoFee = payMemo(raw_data, owner, context);
	const { fee = 0, ...more } = await include();
	Object.assign(entry.outcome, more, { fee: fee + memoFee + entry.outcome.net_fee });
	entry.block = getHeadNumber(wallet.clock) + 1;
}

const duplicateTransactionError = () =>
	new BroadcastFailure('DUP_TRANSACTION_ERROR', 'Dup transaction.');

/** The number of bytes that are charged on top of the raw data: the signature, the length prefixes, and the result. */
const BYTES_BESIDE_RAW_DATA = 134;
/** The price in sun of a byte that no bandwidth pays for. */
const BYTE_PRICE_SUN = 1000;
/** The price in sun for the bytes of a transaction that creates an account, if no frozen coins pay for them. */
export const NEW_ACCOUNT_BYTES_SUN = 100_000;

/** Charges the bytes of a transaction before any other check. One kind of bandwidth pays all of them, or coins do. */
function payBytes(
	{ raw_data_hex, raw_data }: Transaction,
	owner: string,
	context: ContractContext,
): { outcome: Outcome; giveBack: () => void } {
	const { wallet, tronWeb } = context;
	const book = getBook(owner, wallet, tronWeb);
	if (!book.exists) throw new ContractFailure(`account [${owner}] does not exist`);
	const size = raw_data_hex.length / 2 + BYTES_BESIDE_RAW_DATA;
	const makesAccount = findMadeAccount(raw_data, context);
	const { freeNet, net } = getLimits(book);
	const { netUsed, freeNetUsed } = book.changes;
	const isFree = !makesAccount && freeNetUsed + size <= freeNet;
	const kind = netUsed + size <= net ? 'netUsed' : isFree ? 'freeNetUsed' : undefined;
	const price = makesAccount ? NEW_ACCOUNT_BYTES_SUN : size * BYTE_PRICE_SUN;
	const net_fee = kind ? 0 : price;
	if (net_fee > book.balance) {
		throw new BroadcastFailure('BANDWITH_ERROR', 'Account resource insufficient error.');
	}
	const pay = (sign: 1 | -1) =>
		changeAccount(owner, wallet, (books) => {
			if (kind) books[kind] += sign * size;
			books.balance -= sign * net_fee;
		});
	pay(1);
	return {
		outcome: { fee: 0, net_usage: kind ? size : 0, net_fee, energy: 0, energy_fee: 0 },
		giveBack: () => pay(-1),
	};
}

function findMadeAccount(
	{ contract: [{ type, parameter }] }: Transaction['raw_data'],
	{ wallet, visible, tronWeb }: ContractContext,
): boolean {
	if (type !== 'TransferContract') return false;
	const to = parseAccount((parameter.value as TransferValue).to_address, visible, tronWeb);
	return !getBook(to, wallet, tronWeb).exists;
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
