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

/** An account on EVM chains and TRON that signs with a key or remotely. */
export interface SigningAccount {
	/** 40 hex digits in lower case. */
	readonly account: string;
	sign(hash: Uint8Array): Signature;
	derive(text: string): Buffer;
}

/** A transaction that the rules allow, with its unsigned bytes and their hash. The hash is what the key signs. */
export interface AllowedTransaction {
	readonly transaction: UnsignedTransaction;
	readonly unsigned: Buffer;
	readonly hash: Buffer;
}

/** Builds the transaction that the account is to sign. Throws if a rule forbids it. */
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

/** Refuses a hash or bytes in the input that differ from what would be signed, because people or other nodes may have checked them. */
function checkBeside(name: string, given: string | undefined, made: Uint8Array): void {
	if (given === undefined || given === encodeHex(made)) return;
	throw new InvalidInput(
		`'${name}' was not made from the transaction in the same item. Prepare the transaction again`,
		'The item was changed after the operation Prepare. Nothing was signed.',
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

/** Formats the signed transaction and its hash. */
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

/** Signs a TRON transaction. Its ID is the hash of its bytes, which was computed when they were decoded. */
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

/** Signs typed data in slices, because hashing may take long. */
export function* signTypedData(
	library: KeyLibrary,
	rules: Secp256k1Rules,
	account: SigningAccount,
	typedData: unknown,
): Sliced<{ signature: string; signer: string }> {
	const read = parseTypedData(typedData, TYPED_DATA_LABEL);
	checkTypedData(rules, account, read);
	// The pause gives n8n time, because decoding and hashing may each read a megabyte.
	yield;
	const checked = read?.typedData ?? typedData;
	const hashing = hashTypedDataInSlices(checked, TYPED_DATA_LABEL, library.keccak256);
	return signHash(account, yield* hashing);
}

const TYPED_DATA_LABEL = 'Typed Data';

/** Asks the rules about typed data. `read` is undefined for typed data of a kind that the rules cannot read. */
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

/** Refuses typed data of a known kind that the rules do not allow. The rule Allow Typed Data makes no difference here. */
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

/** Encodes a signature as wallets do in 65 bytes: r, s, and 27 or 28. */
function encodeSignature({ r, s, yParity }: Signature): Buffer {
	const words = [r, s].map((one) => one.toString(16).padStart(64, '0')).join('');
	return Buffer.concat([Buffer.from(words, 'hex'), Buffer.from([27 + yParity])]);
}
