import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	atEndpoint,
	attempt,
	basicHeaders,
	checksummed,
	evmAddress,
	InvalidInput,
	InvalidValue,
	isRecord,
	RequestFailure,
	rlpFields,
	serialized,
	typeOf,
	type Authenticate,
	type UnsignedTransaction,
} from '../../../nodes/core';
import type { Keys, Signature } from './library';
import { signedTransaction } from './signer';

/** The credential itself does not say how it is sent: no other node can do it. */
export const authenticate: Authenticate = async (credential, request) =>
	atEndpoint(credential, request, { headers: authorization(credential) });

/** None for a signer that asks for none. One without the other is more likely forgotten than meant. */
function authorization(credential: ICredentialDataDecryptedObject) {
	const { username, password } = credential;
	if (username && password) return basicHeaders(credential);
	if (!username && !password) return {};
	throw new InvalidInput(
		'The Username and the Password of the credential belong together, and one of them is empty',
		'Enter both, or leave both empty for a signer that asks for neither.',
	);
}

/** 40 hex digits of the account that is to sign. */
export function accountIn({ address }: ICredentialDataDecryptedObject): string {
	const account = attempt(InvalidValue, () => digitsOf(evmAddress(address)));
	if (!(account instanceof InvalidValue)) return account;
	throw new InvalidInput(
		'The Address of the credential must be 0x and 40 hex digits, with a checksum that is right where it has one',
		'It says which account of the remote signer signs.',
	);
}

function digitsOf(address: string): string {
	return address.slice(2).toLowerCase();
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;

export function accountsIn(answer: unknown): readonly string[] {
	const given: readonly unknown[] = Array.isArray(answer) ? answer : [];
	const isList = Array.isArray(answer) && given.every((one) => ADDRESS.test(String(one)));
	if (isList) return given.map((one) => digitsOf(String(one)));
	throw new RequestFailure(
		'The remote signer did not answer eth_accounts with a list of addresses',
	);
}

export function checkHeld(account: string, held: readonly string[]): void {
	if (held.includes(account)) return;
	throw new RequestFailure(`The remote signer has no key for ${checksummed(account)}`, {
		description: 'The Address of the credential must be one of those that eth_accounts lists.',
	});
}

/** More than a signature adds, so that nothing endless is taken apart. */
const MOST_ADDED = 100;

/** What a remote signer gave: this transaction in its one encoding, signed by this account, or a failure. */
export function verified(keys: Keys, transaction: UnsignedTransaction, answer: unknown) {
	const given = bytesIn(answer, serialized(transaction).length + MOST_ADDED);
	const signature = given && signatureIn(given, transaction);
	if (!signature) return throwUnsigned(given, transaction);
	const wanted = serialized(transaction, signature);
	if (!wanted.equals(given)) return throwDifference(given, wanted, transaction);
	const signer = keys.signerOf(keys.keccak256(serialized(transaction)), signature);
	const own = digitsOf(transaction.from);
	if (signer !== own) {
		return unfit(
			signer === undefined
				? 'its signature is not the canonical one'
				: `it is signed by ${checksummed(signer)}, not by ${checksummed(own)}`,
		);
	}
	return signedTransaction(keys, transaction, signature);
}

/** Some answer with the bytes, some with an object that has them as `raw`. */
function bytesIn(answer: unknown, most: number): Buffer | undefined {
	const raw = isRecord(answer) ? answer.raw : answer;
	if (typeof raw !== 'string' || raw.length > 2 + 2 * most) return undefined;
	return /^0x(?:[0-9a-f]{2})+$/i.test(raw) ? Buffer.from(raw.slice(2), 'hex') : undefined;
}

/** The last three fields of a signed transaction. */
function signatureIn(given: Buffer, transaction: UnsignedTransaction): Signature | undefined {
	const fields = fieldsIn(given, transaction) ?? [];
	const [v, r, s] = fields.slice(-3).map((field) => BigInt(`0x0${field.toString('hex')}`));
	if (v === undefined || r === undefined || s === undefined) return undefined;
	const yParity = typeOf(transaction) === 0 ? v - 35n - 2n * transaction.chainId : v;
	return yParity === 0n || yParity === 1n ? { r, s, yParity: Number(yParity) } : undefined;
}

/** Undefined for a transaction of another type. */
function fieldsIn(given: Buffer, transaction: UnsignedTransaction) {
	const type = typeOf(transaction);
	if (type === 0) return rlpFields(given);
	return given[0] === type ? rlpFields(given.subarray(1)) : undefined;
}

const END = ['gas', 'to', 'value', 'data'];
const NAMES: Readonly<Record<number, readonly string[]>> = {
	0: ['nonce', 'gasPrice', ...END],
	1: ['chainId', 'nonce', 'gasPrice', ...END, 'accessList'],
	2: ['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', ...END, 'accessList'],
};

function throwUnsigned(given: Buffer | undefined, transaction: UnsignedTransaction): never {
	const fields = given && fieldsIn(given, transaction);
	// The kind before there were numbers says its chain in its signature.
	if (typeOf(transaction) === 0 && fields?.length === LEGACY_FIELDS) {
		return throwOtherField('chainId', transaction);
	}
	unfit(
		'what it answered is no signed transaction of this kind',
		transaction.accessList && IGNORES_ACCESS_LISTS,
	);
}

const LEGACY_FIELDS = 9;

function throwDifference(given: Buffer, wanted: Buffer, transaction: UnsignedTransaction): never {
	const [theirs, ours] = [given, wanted].map((one) => fieldsIn(one, transaction) ?? []);
	const names = NAMES[typeOf(transaction)] ?? [];
	const name = names.find((_, at) => !ours?.[at]?.equals(theirs?.[at] ?? Buffer.alloc(0)));
	if (name === undefined) return unfit('it is not encoded in the one canonical way');
	throwOtherField(name, transaction);
}

function throwOtherField(name: string, { chainId }: UnsignedTransaction): never {
	const advice: Readonly<Record<string, string>> = {
		accessList: IGNORES_ACCESS_LISTS,
		chainId: `Its chain is fixed in its own settings: set it to chain ${chainId}.`,
	};
	unfit(`its ${name} is not the one that was asked for`, advice[name]);
}

const IGNORES_ACCESS_LISTS =
	'Many signers ignore access lists: leave accessList out of the transaction.';
const CHECK_SIGNER = 'Check the signer, and which chain it is set up for.';

function unfit(why: string, advice = CHECK_SIGNER): never {
	throw new RequestFailure(`The remote signer signed something else: ${why}`, {
		description: `What it gave was thrown away. ${advice}`,
	});
}
