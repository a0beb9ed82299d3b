import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	withSecret,
	catching,
	buildBasicAuthHeaders,
	checksumAddress,
	parseEvmAddress,
	InvalidInput,
	InvalidValue,
	isRecord,
	RequestFailure,
	decodeRlpFields,
	serializeTransaction,
	getTransactionType,
	type Authenticate,
	type UnsignedTransaction,
} from '../../../nodes/core';
import type { KeyLibrary, Signature } from './library';
import { formatSignedTransaction, type AllowedTransaction } from './secp256k1Signer';

/** Adds the password to a request. The credential itself has no `authenticate`, so no other node can send the password. */
export const authenticateRemote: Authenticate = async (credential, request) =>
	withSecret(credential, request, { headers: buildAuthorization(credential) });

/** Builds the Authorization header if the credential has a name and password. A name without a password (or the reverse) is refused. */
function buildAuthorization(credential: ICredentialDataDecryptedObject) {
	const { username, password } = credential;
	if (username && password) return buildBasicAuthHeaders(credential);
	if (!username && !password) return {};
	throw new InvalidInput(
		'The Username and the Password of the credential belong together, and one of them is empty',
		'Enter both, or leave both empty for a signer that asks for neither.',
	);
}

/** Parses the address of the signer's account. Returns 40 hex digits. */
export function parseAccount({ address }: ICredentialDataDecryptedObject): string {
	const account = catching(InvalidValue, () => toDigits(parseEvmAddress(address)));
	if (!(account instanceof InvalidValue)) return account;
	throw new InvalidInput(
		'The Address of the credential must be 0x and 40 hex digits, in lower case or exactly as a wallet shows it',
		'It says which account of the remote signer signs.',
	);
}

function toDigits(address: string): string {
	return address.slice(2).toLowerCase();
}

const ADDRESS_PATTERN = /^0x[0-9a-f]{40}$/i;

export function parseAccounts(answer: unknown): readonly string[] {
	const given: readonly unknown[] = Array.isArray(answer) ? answer : [];
	const isList = Array.isArray(answer) && given.every((one) => ADDRESS_PATTERN.test(String(one)));
	if (isList) return given.map((one) => toDigits(String(one)));
	throw new RequestFailure(
		'The remote signer did not list its addresses (eth_accounts): check the URL of the credential',
	);
}

export function checkAccountHeld(account: string, held: readonly string[]): void {
	if (held.includes(account)) return;
	throw new RequestFailure(`The remote signer has no key for ${checksumAddress(`0x${account}`)}`, {
		description:
			'The Address of the credential must be one of the accounts that eth_accounts lists.',
	});
}

/** The most bytes that a signature adds to a transaction. Longer answers are not parsed. */
const MAX_ADDED_BYTES = 100;

/** Checks a remote signer's answer: it must be this transaction in its canonical encoding, signed by this account. */
export function verifySigned(
	library: KeyLibrary,
	{ transaction, unsigned, hash }: AllowedTransaction,
	answer: unknown,
) {
	const given = parseSignedBytes(answer, unsigned.length + MAX_ADDED_BYTES);
	const signature = given && decodeSignature(given, transaction);
	if (!signature) throw unsignedError(given, transaction);
	const wanted = serializeTransaction(transaction, signature);
	if (!wanted.equals(given)) throw differenceError(given, wanted, transaction);
	const signer = library.recoverSigner(hash, signature);
	const own = toDigits(transaction.from);
	if (signer !== own) {
		throw unfitError(
			signer === undefined
				? 'its signature is not the canonical one'
				: `it is signed by ${checksumAddress(`0x${signer}`)}, not by ${checksumAddress(transaction.from)}`,
		);
	}
	return formatSignedTransaction(library, transaction, wanted);
}

/** Parses the signed bytes. Some signers return the bytes as text, others an object with the text under `raw`. */
function parseSignedBytes(answer: unknown, most: number): Buffer | undefined {
	const raw = isRecord(answer) ? answer.raw : answer;
	if (typeof raw !== 'string' || raw.length > 2 + 2 * most) return undefined;
	return /^0x(?:[0-9a-f]{2})+$/i.test(raw) ? Buffer.from(raw.slice(2), 'hex') : undefined;
}

/** Decodes the last three fields of a signed transaction. */
function decodeSignature(given: Buffer, transaction: UnsignedTransaction): Signature | undefined {
	const fields = decodeFields(given, transaction) ?? [];
	const [v, r, s] = fields.slice(-3).map((field) => BigInt(`0x0${field.toString('hex')}`));
	if (v === undefined || r === undefined || s === undefined) return undefined;
	const yParity = getTransactionType(transaction) === 0 ? v - 35n - 2n * transaction.chainId : v;
	return yParity === 0n || yParity === 1n ? { r, s, yParity: Number(yParity) } : undefined;
}

/** Decodes all fields of a transaction. Returns undefined if its type differs from the given transaction. */
function decodeFields(given: Buffer, transaction: UnsignedTransaction) {
	const type = getTransactionType(transaction);
	if (type === 0) return decodeRlpFields(given);
	return given[0] === type ? decodeRlpFields(given.subarray(1)) : undefined;
}

const COMMON_FIELD_NAMES = ['gas', 'to', 'value', 'data'];
const FIELD_NAMES_BY_TYPE: Readonly<
	Record<ReturnType<typeof getTransactionType>, readonly string[]>
> = {
	0: ['nonce', 'gasPrice', ...COMMON_FIELD_NAMES],
	1: ['chainId', 'nonce', 'gasPrice', ...COMMON_FIELD_NAMES, 'accessList'],
	2: [
		'chainId',
		'nonce',
		'maxPriorityFeePerGas',
		'maxFeePerGas',
		...COMMON_FIELD_NAMES,
		'accessList',
	],
};

function unsignedError(
	given: Buffer | undefined,
	transaction: UnsignedTransaction,
): RequestFailure {
	const fields = given && decodeFields(given, transaction);
	// A legacy transaction states its chain ID in the signature. If it has all nine fields but is not accepted, its chain ID is another.
	if (getTransactionType(transaction) === 0 && fields?.length === LEGACY_FIELDS) {
		return otherFieldError('chainId', transaction);
	}
	return unfitError(
		'what it answered is no signed transaction of this kind',
		transaction.accessList && IGNORES_ACCESS_LISTS,
	);
}

const LEGACY_FIELDS = 9;

function differenceError(
	given: Buffer,
	wanted: Buffer,
	transaction: UnsignedTransaction,
): RequestFailure {
	const [theirs, ours] = [given, wanted].map((one) => decodeFields(one, transaction) ?? []);
	const names = FIELD_NAMES_BY_TYPE[getTransactionType(transaction)];
	const name = names.find((_, at) => !ours?.[at]?.equals(theirs?.[at] ?? Buffer.alloc(0)));
	if (name === undefined) return unfitError('it is not encoded in the one canonical way');
	return otherFieldError(name, transaction);
}

function otherFieldError(name: string, { chainId }: UnsignedTransaction): RequestFailure {
	const advice: Readonly<Record<string, string>> = {
		accessList: IGNORES_ACCESS_LISTS,
		chainId: `Its chain is fixed in its own settings: set it to chain ${chainId}.`,
	};
	return unfitError(`its ${name} is not the one that was asked for`, advice[name]);
}

const IGNORES_ACCESS_LISTS =
	'Many signers ignore access lists: leave accessList out of the transaction.';
const CHECK_SIGNER = 'Check the signer, and which chain it is set up for.';

function unfitError(why: string, advice = CHECK_SIGNER): RequestFailure {
	return new RequestFailure(`The remote signer signed another transaction: ${why}`, {
		description: `Its answer was discarded. ${advice}`,
	});
}
