import type { TokenPayment } from '../chain/arrival';
import { SOMETHING_ELSE, type SignedPayment } from '../chain/ownPayment';
import type { RpcReader } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import type { TokenFacts } from '../chain/tokens';
import { ETHER_DECIMALS } from '../values/units';
import { checksumAddress } from './address';
import { readTokenFacts } from './tokens';
import { decodeSignedTransaction, type SignedTransaction } from './transactions/signed';
import type { TransactionSignature } from './transactions/unsigned';

/** Finds the account that has signed a hash, as 40 hex digits; undefined if the signature belongs to no account. */
export type RecoverSigner = (
	hash: Uint8Array,
	signature: TransactionSignature,
) => string | undefined;

/**
 * Reads what a signed transaction pays, given as 0x-hex. If the node does not give a token's symbol or decimals, they are
 * null.
 */
export async function readSignedPayment(
	reader: RpcReader,
	signed: string,
	recover: RecoverSigner,
): Promise<SignedPayment> {
	const transaction = decodeSignedTransaction(signed);
	if (!transaction) return SOMETHING_ELSE;
	const { signedHash, signature } = transaction;
	const account = recover(signedHash, signature);
	const from = account === undefined ? null : checksumAddress(`0x${account}`);
	return { ...SOMETHING_ELSE, from, ...(await readPayment(reader, transaction)) };
}

/**
 * Reads what a transaction pays, apart from the fee for gas. If it carries out an authorization of another account
 * (EIP-3009), that account pays.
 */
async function readPayment(
	reader: RpcReader,
	{ to, value, data }: SignedTransaction,
): Promise<Partial<SignedPayment>> {
	if (to === undefined) return {};
	if (data === '0x') return { to: checksumAddress(to), value, decimals: ETHER_DECIMALS };
	const own = findTokenTransfer({ to, value, data });
	const authorized = findAuthorizedTransfer({ to, value, data });
	const transfer = own ?? authorized;
	if (!transfer) return {};
	return {
		...(authorized && { from: checksumAddress(authorized.from) }),
		to: checksumAddress(transfer.to),
		value: transfer.value,
		token: checksumAddress(to),
		...(await findTokenFacts(reader, to)),
	};
}

/** Reads the symbol and decimals of a token; undefined if the node does not give them. */
export async function findTokenFacts(
	reader: RpcReader,
	token: string,
): Promise<TokenFacts | undefined> {
	const factsOf = await readTokenFacts(reader, [token]).catch(undefinedIfFailed);
	return factsOf?.(token);
}

/** `transfer(address,uint256)` without further data. */
const TRANSFER_PATTERN = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;

/**
 * Reads the single token transfer that a transaction makes; undefined if it does anything else. Addresses are in lower case.
 */
export function findTokenTransfer({
	to: token,
	value,
	data,
}: Pick<SignedTransaction, 'to' | 'value' | 'data'>): Omit<TokenPayment, 'from'> | undefined {
	const [, receiver, amount] = TRANSFER_PATTERN.exec(data) ?? [];
	if (token === undefined || receiver === undefined || value !== 0n) return undefined;
	return { token: token.toLowerCase(), to: `0x${receiver}`, value: BigInt(`0x${amount}`) };
}

/**
 * Matches the data of `transferWithAuthorization` (EIP-3009) in both forms. Payer, receiver, amount, two times and the
 * nonce come first.
 */
const AUTHORIZED_PATTERN =
	/^0x(?:e3ee160e|cf092995)0{24}([0-9a-f]{40})0{24}([0-9a-f]{40})([0-9a-f]{64})[0-9a-f]{128}([0-9a-f]{64})(?:[0-9a-f]{64}){3,}$/;

/** A token transfer that an account has authorized, and another account carries out. */
export interface AuthorizedTransfer extends TokenPayment {
	/** 0x-hex. A token takes each nonce of an account once. */
	readonly nonce: string;
}

/**
 * Finds the token transfer that an account has authorized and the transaction carries out. Addresses and the nonce are in
 * lower case.
 */
export function findAuthorizedTransfer({
	to: token,
	value,
	data,
}: Pick<SignedTransaction, 'to' | 'value' | 'data'>): AuthorizedTransfer | undefined {
	const [, from, to, amount, nonce] = AUTHORIZED_PATTERN.exec(data) ?? [];
	if (token === undefined || from === undefined || value !== 0n) return undefined;
	return {
		token: token.toLowerCase(),
		from: `0x${from}`,
		to: `0x${to}`,
		value: BigInt(`0x${amount}`),
		nonce: `0x${nonce}`,
	};
}

/**
 * Finds the token transfer of a transaction that the account has sent: of its own tokens, or of another account's by an
 * authorization.
 */
export function findCarriedTransfer(
	transaction: Pick<SignedTransaction, 'to' | 'value' | 'data'>,
	account: string,
): TokenPayment | undefined {
	const own = findTokenTransfer(transaction);
	return own ? { ...own, from: account } : findAuthorizedTransfer(transaction);
}
