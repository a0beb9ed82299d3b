import { decodeResult, encodeCall, functionIn } from '../core/abi/call';
import { DecodingError } from '../core/abi/data';
import { typedDataHash } from '../core/abi/typedData';
import { hexString } from '../core/chain/objects';
import { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { path } from '../core/operation/path';
import { rpcOptions } from '../core/operation/transportOptions';
import { isOfContract } from '../core/responses/reverts';
import { rpc, type Chain } from '../core/rpc/chain';
import { bytes, checksummed, evmAddress, hash, hexOf } from '../core/values/hex';
import { messageHash } from '../core/values/message';
import { attempt, exactText, InvalidValue, mustBe } from '../core/values/read';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account or contract that is said to have signed',
	read: evmAddress,
} as const satisfies Field;

const SIGNATURE = {
	displayName: 'Signature',
	name: 'signature',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x…',
	description: 'The signature as 0x-hex: 65 bytes, 64 (EIP-2098), or what a contract takes for one',
	read: bytes,
} as const satisfies Field;

const signed = {
	displayName: 'Signed',
	name: 'signed',
	type: 'options',
	default: 'message',
	description: 'What was signed',
	options: [
		{ name: 'Hash', value: 'hash', description: 'The 32 bytes that a key signs' },
		{ name: 'Message', value: 'message', description: 'A text, as wallets show it (EIP-191)' },
		{ name: 'Typed Data', value: 'typedData', description: 'Structured data (EIP-712)' },
	],
} as const satisfies Field;

const message = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Sign in to example.com, 2026-01-31, 4711',
	description: 'The text that was signed, to the letter: nothing is trimmed',
	show: { signed: ['message'] },
	read: exactText,
} as const satisfies Field;

const typedData = {
	displayName: 'Typed Data',
	name: 'typedData',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. { "types": {…}, "domain": {…}, "primaryType": "Mail", "message": {…} }',
	description:
		'What was signed, as JSON: an object with types, domain, primaryType and message. The type EIP712Domain may be left out.',
	show: { signed: ['typedData'] },
	read: (given: unknown) => given,
} as const satisfies Field;

const signedHash = {
	displayName: 'Hash',
	name: 'hash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x…',
	description: 'The 32 bytes that were signed, as 0x-hex. Nothing is put before them.',
	show: { signed: ['hash'] },
	read: hash,
} as const satisfies Field;

const verify = rpc({
	name: 'Verify',
	action: 'Verify a signature',
	description:
		'Find out whether an account or a contract signed a message, typed data or a hash, as the chain itself would decide',
	fields: [
		...([address, SIGNATURE, signed, message, typedData, signedHash] as const),
		...([path('/'), rpcOptions()] as const),
	],
	async *run(p, chain) {
		const { displayName } = typedData;
		const digest =
			p.hash ?? hexOf(p.message ? messageHash(p.message) : typedDataHash(p.typedData, displayName));
		yield await verdict(chain, p.address, p.signature, digest);
	},
});

async function verdict(chain: Chain, address: string, signature: string, digest: string) {
	const account = checksummed(address.slice(2));
	const [code, byKey] = await Promise.all([
		chain.call('eth_getCode', [address, 'latest']).then(hexString('code as 0x-hex')),
		signerByKey(chain, signature, digest),
	]);
	const { signer, problem } = byKey;
	if (signer === account) return { valid: true, signer, by: 'key' };
	if (code === '0x') {
		const reason = signer ? `It is the signature of ${signer}` : problem;
		return { valid: false, signer, by: 'key', reason };
	}
	const refusal = await refusalBy(chain, address, signature, digest);
	const outcome = { valid: refusal === undefined, signer: null, by: 'contract' };
	return refusal === undefined ? outcome : { ...outcome, reason: refusal };
}

/** The precompiled contract that recovers who signed, and what it returns. */
const ECRECOVER = `0x${'1'.padStart(40, '0')}`;
const RECOVERED = functionIn('ecrecover() returns (address)');
const NOBODY = { signer: null, problem: 'No key can have made this signature' };

async function signerByKey(chain: Chain, signature: string, digest: string) {
	const parts = attempt(InvalidValue, () => keySignature(signature));
	if (parts instanceof InvalidValue) return { signer: null, problem: parts.message };
	const { v, r, s } = parts;
	const data = digest + v.toString(16).padStart(64, '0') + r + s;
	const answer = hexString('an address as 0x-hex')(
		await chain.call('eth_call', [{ to: ECRECOVER, data }, 'latest']),
	);
	if (answer === '0x') return NOBODY;
	const signer = attempt(DecodingError, () => decodeResult(RECOVERED, answer).result);
	return typeof signer === 'string' && BigInt(signer) !== 0n ? { signer, problem: '' } : NOBODY;
}

/** Suffix of the signature of a contract that is not there yet (ERC-6492). */
const NOT_THERE_YET = '6492'.repeat(16);
const [FIRST_V, SECOND_V] = [27, 28] as const;

function isForLater(signature: string): boolean {
	return signature.endsWith(NOT_THERE_YET);
}

/** Of 65 bytes, or of 64, where the highest bit of `s` tells `v` (EIP-2098). */
function keySignature(signature: string) {
	const digits = signature.slice(2).toLowerCase();
	const [r, s, end] = [digits.slice(0, 64), digits.slice(64, 128), digits.slice(128)];
	if (digits.length === 128) {
		const isSecond = Number(`0x${s.slice(0, 1)}`) >= 8;
		const whole = BigInt.asUintN(255, BigInt(`0x${s}`));
		return { v: isSecond ? SECOND_V : FIRST_V, r, s: whole.toString(16).padStart(64, '0') };
	}
	if (isForLater(signature)) {
		return mustBe('It is made for a contract that is not on this chain yet (ERC-6492)');
	}
	if (digits.length !== 130) {
		return mustBe(`It has ${digits.length / 2} bytes; that of a key has 65, or 64 (EIP-2098)`);
	}
	const last = Number(`0x${end}`);
	const v = last < FIRST_V ? last + FIRST_V : last;
	return v === FIRST_V || v === SECOND_V
		? { v, r, s }
		: mustBe(`Its last byte is ${last}; that of a key's signature is 27 or 28, or 0 or 1`);
}

const CHECK = functionIn('isValidSignature(bytes32 hash, bytes signature) returns (bytes4)');
/** EIP-1271. */
const IS_VALID = '0x1626ba7e';

/** Why the contract does not take the signature for valid; undefined if it does. */
async function refusalBy(
	chain: Chain,
	address: string,
	signature: string,
	digest: string,
): Promise<string | undefined> {
	const data = encodeCall(CHECK, [digest, unwrapped(signature)]);
	const answer = await chain
		.call('eth_call', [{ to: address, data }, 'latest'])
		.catch(async (failure) =>
			failure instanceof RequestFailure && isOfContract(failure)
				? failure
				: await Promise.reject(failure),
		);
	if (answer instanceof RequestFailure) return `The contract refuses it: ${answer.message}`;
	if (answer === '0x') return 'The contract has no function isValidSignature';
	const told = attempt(
		DecodingError,
		() => decodeResult(CHECK, hexString('an answer as 0x-hex')(answer)).result,
	);
	return told === IS_VALID ? undefined : 'The contract does not take it for valid';
}

const WRAPPED = functionIn('wrapped() returns (address factory, bytes data, bytes signature)');

/** The signature itself, of one that was made before its contract was there, which is there now (ERC-6492). */
function unwrapped(signature: string): string {
	if (!isForLater(signature)) return signature;
	const content = signature.slice(0, -NOT_THERE_YET.length);
	const parts = attempt(DecodingError, () => decodeResult(WRAPPED, content));
	return parts instanceof DecodingError ? signature : String(parts.signature);
}

export const signature = { name: 'Signature', operations: { verify } };
