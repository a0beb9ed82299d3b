import {
	checksummed,
	InvalidInput,
	prefixedMessage,
	serialized,
	typedDataHash,
	type UnsignedTransaction,
} from '../../../nodes/core';
import { checkMessages, checkTypedData } from '../../rules/consents';
import { checkEvmTransaction } from '../../rules/evm';
import { checkGas } from '../../rules/gas';
import type { Rules } from '../../rules/rules';
import { checkWitnessTransaction } from '../../rules/witness';
import type { Keys, Signature } from './library';
import type { GivenTransaction, GivenWitnessTransaction } from './request';

/** An account that signs: by a key, or elsewhere. */
export interface Account {
	/** 40 hex digits in lower case. */
	readonly account: string;
	sign(hash: Uint8Array): Signature;
}

/** A transaction that may be signed by this account: all rules allow it. */
export function allowedTransaction(
	keys: Keys,
	rules: Rules,
	account: string,
	{ transaction, from, unsigned, signingHash }: GivenTransaction,
): UnsignedTransaction {
	const own = `0x${account}`;
	checkOwn(from, own);
	const whole = { ...transaction, from: own };
	checkEvmTransaction(rules, whole);
	checkGas(whole);
	const encoded = serialized(whole);
	checkBeside('unsignedTransaction', unsigned, encoded);
	checkBeside('signingHash', signingHash, keys.keccak256(encoded));
	return whole;
}

function checkOwn(from: string | undefined, own: string): void {
	if (from === undefined || from === own) return;
	const [given, signer] = [from, own].map((address) => checksummed(address.slice(2)));
	throw new InvalidInput(
		`The transaction is from ${given}, and this signer is ${signer}`,
		'Prepare it from the account of the signer, or choose its credential. Nothing was signed.',
	);
}

/** What people or other nodes may have looked at must be what is signed. */
function checkBeside(name: string, given: string | undefined, made: Uint8Array): void {
	if (given === undefined || given === `0x${Buffer.from(made).toString('hex')}`) return;
	throw new InvalidInput(
		`'${name}' says something else than the transaction beside it`,
		'What is signed is made from the fields of the transaction. Nothing was signed.',
	);
}

/** What goes to the chain, and its hash. */
export function signedTransaction(
	keys: Keys,
	transaction: UnsignedTransaction,
	signature: Signature,
) {
	const signed = serialized(transaction, signature);
	return {
		signedTransaction: hex(signed),
		transactionHash: hex(keys.keccak256(signed)),
		from: checksummed(transaction.from.slice(2)),
	};
}

/** The transaction with its signature, which is of the bytes that were decoded. */
export function signedWitnessTransaction(
	keys: Keys,
	rules: Rules,
	{ account, sign }: Account,
	{ shape, transaction }: GivenWitnessTransaction,
) {
	const bytes = Buffer.from(String(shape.raw_data_hex).trim(), 'hex');
	checkWitnessTransaction(rules, transaction, { account, size: bytes.length, now: Date.now() });
	const hash = keys.sha256(bytes);
	if (hash.toString('hex') !== transaction.txID) throw new InvalidInput(OTHER_HASH);
	return { ...shape, signature: [compact(sign(hash)).toString('hex')] };
}

const OTHER_HASH = "The transaction's txID is not the SHA-256 of its bytes";

export function signedMessage(keys: Keys, rules: Rules, account: Account, message: Buffer) {
	checkMessages(rules);
	return signedHash(account, keys.keccak256(prefixedMessage(message)));
}

export function signedTypedData(keys: Keys, rules: Rules, account: Account, typedData: unknown) {
	checkTypedData(rules);
	return signedHash(account, typedDataHash(typedData, 'Typed Data', keys.keccak256));
}

function signedHash({ account, sign }: Account, hash: Uint8Array) {
	return { signature: hex(compact(sign(hash))), signer: checksummed(account) };
}

/** 65 bytes: r, s, and 27 or 28, as wallets write them. */
export function compact({ r, s, yParity }: Signature): Buffer {
	const words = [r, s].map((one) => one.toString(16).padStart(64, '0')).join('');
	return Buffer.concat([Buffer.from(words, 'hex'), Buffer.from([27 + yParity])]);
}

function hex(bytes: Uint8Array): string {
	return `0x${Buffer.from(bytes).toString('hex')}`;
}
