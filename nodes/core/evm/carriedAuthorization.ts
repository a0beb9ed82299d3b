import type { RpcReader } from '../chain/reader';
import type { JsonObject } from '../values/json';
import { matchesTopics } from './abi/event';
import { objectListParser, quantityToNumber } from './chainObjects';
import { readMovedTokens } from './movedTokens';
import { readReceipt } from './receipts';
import { findAuthorizedTransfer, type AuthorizedTransfer } from './signedPayment';
import type { SignedTransaction } from './transactions/signed';

/** How many blocks are searched for the transaction of an authorization, which is usually carried out a few blocks after the signing. */
const SEARCHED_BLOCKS = 1000;

/**
 * Finds the receipt of the transaction that has carried out the same authorization (EIP-3009) up to a block; undefined where there is none, or
 * where the transaction is about no authorization.
 */
export async function findCarriedAuthorization(
	reader: RpcReader,
	transaction: Pick<SignedTransaction, 'to' | 'value' | 'data'>,
	to: number,
): Promise<JsonObject | undefined> {
	const transfer = findAuthorizedTransfer(transaction);
	if (!transfer) return undefined;
	const { token, from } = transfer;
	const range = { from: Math.max(0, to - SEARCHED_BLOCKS), to };
	const moved = await readMovedTokens(reader, from, { range, tokens: new Set([token]) });
	const hashes = [...new Set(moved.payments.map(({ hash }) => hash))];
	for (const hash of hashes.reverse()) {
		const receipt = await readReceipt(reader, hash);
		if (receipt && isSuccess(receipt) && hasUsed(receipt, transfer)) return receipt;
	}
	return undefined;
}

function isSuccess({ status }: JsonObject): boolean {
	return quantityToNumber(status) === 1;
}

/** The hash of `AuthorizationUsed(address,bytes32)`. */
const USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
const parseLogs = objectListParser('a receipt with its logs');

function hasUsed({ logs }: JsonObject, { token, from, nonce }: AuthorizedTransfer): boolean {
	const wanted = [USED_TOPIC, `0x${from.slice(2).padStart(WORD_DIGITS, '0')}`, nonce];
	return parseLogs(logs).some(({ address, topics }) => {
		const there: readonly unknown[] = Array.isArray(topics) ? topics : [];
		return String(address).toLowerCase() === token && matchesTopics(there, wanted);
	});
}

const WORD_DIGITS = 64;
