import { hexString } from '../../core/chain/objects';
import { transactionHashOf } from '../../core/chain/transactionHash';
import { RequestFailure, withAdvice } from '../../core/errors/requestFailure';
import type { Field } from '../../core/operation/field';
import { path as pathField } from '../../core/operation/path';
import { rpc, type Chain } from '../../core/rpc/chain';
import { rpcOptions } from '../../core/operation/transportOptions';
import { bytes } from '../../core/values/hex';
import { isRecord, mustBe } from '../../core/values/read';

const signedTransaction = {
	displayName: 'Signed Transaction',
	name: 'signedTransaction',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x02f8730182…',
	description: 'The signed transaction as 0x-hex, as a wallet or a signing service returns it',
	read: (given: unknown) => {
		const value = bytes(given);
		return isTransaction(value) ? value : mustBe('a signed transaction as 0x-hex');
	},
} as const satisfies Field;

/** Longer than a hash or an address, and begins with a type or as a list of the old kind. */
function isTransaction(hex: string): boolean {
	const first = Number(hex.slice(0, 4));
	return hex.length > 100 && ((first > 0 && first < 0x80) || first >= 0xc0);
}

/** What nodes say to a transaction that they have. */
const KNOWN =
	/already ?known|already.known|known transaction|already.?imported|already.?exists|same hash|already in (the )?(mempool|mpool|pool|system)/i;
const NONCE_USED = /nonce .{0,10}too low|old.?nonce|invalid nonce/i;

export const send = rpc({
	name: 'Send',
	action: 'Send a signed transaction',
	description:
		'Send a signed transaction to the chain. It is carried out at most once; items are sent in order, one after another.',
	fields: [signedTransaction, pathField('/'), rpcOptions()],
	async *run(p, chain) {
		const hash = transactionHashOf(p.signedTransaction);
		yield await sent(chain, p.signedTransaction, hash);
	},
});

async function sent(chain: Chain, transaction: string, hash: string) {
	const sending = chain.call('eth_sendRawTransaction', [transaction]);
	return shown(
		hashIn(await sending.catch(async (failure) => await hashIfKnown(chain, hash, failure))),
	);
}

/** The hash, where the refusal says that the transaction has arrived all the same. */
async function hashIfKnown(chain: Chain, hash: string, failure: unknown): Promise<string> {
	if (!(failure instanceof RequestFailure)) return await Promise.reject(failure);
	if (KNOWN.test(failure.message)) return hash;
	// Sent again after it was included, a transaction is refused for its nonce.
	const isNonceUsed = NONCE_USED.test(failure.message);
	if (isNonceUsed && (await isKnown(chain, hash))) return hash;
	const isUnclear = !isNonceUsed && (failure.maybeExecuted || failure.retry);
	return await Promise.reject(isUnclear ? withAdvice(failure, `Its hash is ${hash}.`) : failure);
}

async function isKnown(chain: Chain, hash: string): Promise<boolean> {
	try {
		return isRecord(await chain.call('eth_getTransactionByHash', [hash]));
	} catch (failure) {
		return failure instanceof RequestFailure ? false : await Promise.reject(failure);
	}
}

const hashIn = hexString('the hash of the transaction');

function shown(hash: string) {
	return { result: hash, transactionHash: hash };
}
