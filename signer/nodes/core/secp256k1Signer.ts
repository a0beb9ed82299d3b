import {
	checksumAddress,
	encodeHex,
	InvalidInput,
	prefixMessage,
	serializeTransaction,
	hashTypedDataInSlices,
	type ParsedEvmTransaction,
	type ParsedWitnessTransaction,
	type Sliced,
	type UnsignedTransaction,
} from '../../../nodes/core';
import { checkTakesNonce } from '../../rules/budget';
import { decodeEvmTransaction } from '../../rules/evm';
import { checkGas } from '../../rules/gas';
import { judge } from '../../rules/judge';
import { checkMessages } from '../../rules/messages';
import type { Policy } from '../../rules/policy';
import type { Secp256k1Rules } from '../../rules/rules';
import { AN_HOUR, decodeTypedData, NO_NONCE, refuseUnread } from '../../rules/typedData';
import { parseTypedData, type ReadTypedData } from '../../rules/typedDataForms';
import { decodeWitnessTransaction } from '../../rules/witness';
import type { KeyLibrary, Signature } from './library';
import { checkSender } from './localSigner';

/** An account that signs, by a key or remotely. */
export interface SigningAccount {
	/** 40 hex digits in lower case. */
	readonly account: string;
	sign(hash: Uint8Array): Signature;
	derive(text: string): Buffer;
}

/** A transaction that the rules allow, with its bytes without a signature and their hash, which is what is signed. */
export interface AllowedTransaction {
	readonly transaction: UnsignedTransaction;
	readonly unsigned: Buffer;
	readonly hash: Buffer;
}

/** Builds a transaction for this account to sign, after all rules have allowed it. */
export function buildAllowedTransaction(
	library: KeyLibrary,
	policy: Policy,
	account: string,
	{ transaction, from, unsigned, signingHash }: ParsedEvmTransaction,
): AllowedTransaction {
	const own = `0x${account}`;
	if (from !== undefined) checkSender(from, own, checksumAddress);
	const whole = { ...transaction, from: own };
	judge(policy, decodeEvmTransaction(whole), Date.now());
	checkGas(whole);
	const encoded = serializeTransaction(whole);
	const hash = library.keccak256(encoded);
	checkBeside('unsignedTransaction', unsigned, encoded);
	checkBeside('signingHash', signingHash, hash);
	return { transaction: whole, unsigned: encoded, hash };
}

/** Values beside the transaction, which people or other nodes may have checked, must match what is signed. */
function checkBeside(name: string, given: string | undefined, made: Uint8Array): void {
	if (given === undefined || given === encodeHex(made)) return;
	throw new InvalidInput(
		`'${name}' does not match the transaction beside it`,
		'A signature covers the fields of the transaction alone. Nothing was signed.',
	);
}

export function signAllowedTransaction(
	library: KeyLibrary,
	{ sign }: SigningAccount,
	{ transaction, hash }: AllowedTransaction,
) {
	const signed = serializeTransaction(transaction, sign(hash));
	return formatSignedTransaction(library, transaction, signed);
}

/** Formats what is sent to the chain, and its hash. */
export function formatSignedTransaction(
	library: KeyLibrary,
	{ from }: UnsignedTransaction,
	signed: Buffer,
) {
	return {
		signedTransaction: encodeHex(signed),
		transactionHash: encodeHex(library.keccak256(signed)),
		from: checksumAddress(from),
	};
}

type WitnessRules = Readonly<Record<'witness', Policy>>;

/** Adds the signature. The ID is the hash of the bytes that were decoded, computed when they were. */
export function signWitnessTransaction(
	rules: WitnessRules,
	account: SigningAccount,
	given: ParsedWitnessTransaction,
) {
	checkWitnessTransaction(rules, account, given);
	const signature = account.sign(Buffer.from(given.transaction.txID, 'hex'));
	return { ...given.shape, signature: [encodeSignature(signature).toString('hex')] };
}

/** Refuses what the rules forbid. */
export function checkWitnessTransaction(
	{ witness }: WitnessRules,
	{ account }: Pick<SigningAccount, 'account'>,
	{ shape, transaction }: ParsedWitnessTransaction,
): void {
	const size = String(shape.raw_data_hex).trim().length / HEX_CHARS_PER_BYTE;
	const isSweep = witness.sweep !== undefined;
	judge(witness, decodeWitnessTransaction(transaction, { account, size, isSweep }), Date.now());
}

const HEX_CHARS_PER_BYTE = 2;

export function signMessage(
	library: KeyLibrary,
	rules: Secp256k1Rules,
	account: SigningAccount,
	message: Buffer,
) {
	checkMessages(rules);
	return signHash(account, library.keccak256(prefixMessage(message)));
}

/** Typed data may take long to hash. */
export function* signTypedData(
	library: KeyLibrary,
	rules: Secp256k1Rules,
	account: SigningAccount,
	typedData: unknown,
): Sliced<{ signature: string; signer: string }> {
	const read = parseTypedData(typedData, TYPED_DATA_LABEL);
	checkTypedData(rules, account, read);
	// Both this and that read a megabyte where there is one.
	yield;
	const checked = read?.typedData ?? typedData;
	const hashing = hashTypedDataInSlices(checked, TYPED_DATA_LABEL, library.keccak256);
	return signHash(account, yield* hashing);
}

const TYPED_DATA_LABEL = 'Typed Data';

/** The decoded content is undefined for typed data that the rules do not know. */
function checkTypedData(
	rules: Secp256k1Rules,
	account: SigningAccount,
	read: ReadTypedData | undefined,
): void {
	if (rules.typedData.dailyAuthorizations === undefined) {
		checkTakesNonce(rules.budget, NO_NONCE.noneOf);
		if (rules.allowTypedData) return;
	}
	if (!read) return refuseUnread(rules);
	judgeTypedData(rules, account, read);
}

/** Refuses typed data of a kind that is read, if the rules do not allow it, whatever Allow Typed Data says. */
export function judgeTypedData(
	{ typedData }: Readonly<Record<'typedData', Policy>>,
	{ account, derive }: Pick<SigningAccount, 'account' | 'derive'>,
	read: ReadTypedData,
): void {
	const now = Date.now();
	const longest = typedData.sweep && AN_HOUR;
	const circumstances = { account: `0x${account}`, now, derive, ...(longest && { longest }) };
	judge(typedData, decodeTypedData(read, circumstances), now);
}

export function signHash({ account, sign }: SigningAccount, hash: Uint8Array) {
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
