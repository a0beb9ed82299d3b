import {
	checksumAddress,
	InvalidInput,
	prefixMessage,
	serializeTransaction,
	hashTypedData,
	type UnsignedTransaction,
} from '../../../nodes/core';
import { checkMessages, checkTypedData } from '../../rules/consents';
import { checkEvmTransaction } from '../../rules/evm';
import { checkGas } from '../../rules/gas';
import type { Rules } from '../../rules/rules';
import { checkWitnessTransaction } from '../../rules/witness';
import type { KeyLibrary, Signature } from './library';
import type { ParsedTransaction, ParsedWitnessTransaction } from './request';

/** An account that signs, by a key or remotely. */
interface SigningAccount {
	/** 40 hex digits in lower case. */
	readonly account: string;
	sign(hash: Uint8Array): Signature;
}

/** Builds a transaction for this account to sign, after all rules have allowed it. */
export function buildAllowedTransaction(
	keys: KeyLibrary,
	rules: Rules,
	account: string,
	{ transaction, from, unsigned, signingHash }: ParsedTransaction,
): UnsignedTransaction {
	const own = `0x${account}`;
	checkSender(from, own);
	const whole = { ...transaction, from: own };
	checkEvmTransaction(rules, whole);
	checkGas(whole);
	const encoded = serializeTransaction(whole);
	checkBeside('unsignedTransaction', unsigned, encoded);
	checkBeside('signingHash', signingHash, keys.keccak256(encoded));
	return whole;
}

function checkSender(from: string | undefined, own: string): void {
	if (from === undefined || from === own) return;
	const [given, signer] = [from, own].map((address) => checksumAddress(address));
	throw new InvalidInput(
		`The transaction is from ${given}, and this signer is ${signer}`,
		'Prepare it from the account of the signer, or choose its credential. Nothing was signed.',
	);
}

/** Values beside the transaction, which people or other nodes may have checked, must match what is signed. */
function checkBeside(name: string, given: string | undefined, made: Uint8Array): void {
	if (given === undefined || given === `0x${Buffer.from(made).toString('hex')}`) return;
	throw new InvalidInput(
		`'${name}' says something else than the transaction beside it`,
		'What is signed is made from the fields of the transaction. Nothing was signed.',
	);
}

/** Formats what is sent to the chain, and its hash. */
export function formatSignedTransaction(
	keys: KeyLibrary,
	transaction: UnsignedTransaction,
	signature: Signature,
) {
	const signed = serializeTransaction(transaction, signature);
	return {
		signedTransaction: encodeHex(signed),
		transactionHash: encodeHex(keys.keccak256(signed)),
		from: checksumAddress(transaction.from),
	};
}

/** Adds the signature, which is of the bytes that were decoded. */
export function signWitnessTransaction(
	keys: KeyLibrary,
	rules: Rules,
	{ account, sign }: SigningAccount,
	{ shape, transaction }: ParsedWitnessTransaction,
) {
	const bytes = Buffer.from(String(shape.raw_data_hex).trim(), 'hex');
	checkWitnessTransaction(rules, transaction, { account, size: bytes.length, now: Date.now() });
	const hash = keys.sha256(bytes);
	if (hash.toString('hex') !== transaction.txID) throw new InvalidInput(OTHER_HASH_TEXT);
	return { ...shape, signature: [encodeSignature(sign(hash)).toString('hex')] };
}

const OTHER_HASH_TEXT = "The transaction's txID is not the SHA-256 of its bytes";

export function signMessage(
	keys: KeyLibrary,
	rules: Rules,
	account: SigningAccount,
	message: Buffer,
) {
	checkMessages(rules);
	return signHash(account, keys.keccak256(prefixMessage(message)));
}

export function signTypedData(
	keys: KeyLibrary,
	rules: Rules,
	account: SigningAccount,
	typedData: unknown,
) {
	checkTypedData(rules);
	return signHash(account, hashTypedData(typedData, 'Typed Data', keys.keccak256));
}

function signHash({ account, sign }: SigningAccount, hash: Uint8Array) {
	return {
		signature: encodeHex(encodeSignature(sign(hash))),
		signer: checksumAddress(`0x${account}`),
	};
}

/** Encodes 65 bytes: r, s, and 27 or 28, as wallets write them. */
function encodeSignature({ r, s, yParity }: Signature): Buffer {
	const words = [r, s].map((one) => one.toString(16).padStart(64, '0')).join('');
	return Buffer.concat([Buffer.from(words, 'hex'), Buffer.from([27 + yParity])]);
}

function encodeHex(bytes: Uint8Array): string {
	return `0x${Buffer.from(bytes).toString('hex')}`;
}
