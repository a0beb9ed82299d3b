import { decodeFunctionResult, encodeFunctionData, parseFunction } from '../core/evm/abi/call';
import { DecodingError } from '../core/evm/abi/data';
import { hashTypedDataInSlices } from '../core/evm/abi/typedData';
import { hexParser } from '../core/evm/objects';
import { RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { rpcOptions } from '../core/operation/transportOptions';
import { runInSlices } from '../core/net/pacing/slices';
import { isContractFailure } from '../core/net/responses/reverts';
import { rpc, type Chain } from '../core/protocols/rpc/operation';
import { parseHexBytes, parseHash, encodeHex } from '../core/values/hex';
import { checksumAddress, parseEvmAddress } from '../core/evm/address';
import { hashMessage } from '../core/evm/message';
import {
	catching,
	parseExactText,
	InvalidValue,
	throwInvalidValue,
	rethrow,
} from '../core/values/parse';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account or contract that is said to have signed',
	parse: parseEvmAddress,
} as const satisfies Field;

const SIGNATURE = {
	displayName: 'Signature',
	name: 'signature',
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. 0xd05c1b5b4b1b6f2e3f1c8a2c8e3a5a7d9f0b1c2d3e4f5061728394a5b6c7d8e92fa6d1b7c8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718291b',
	description: 'The signature as 0x-hex: 65 bytes, 64 (EIP-2098), or what a contract takes for one',
	parse: parseHexBytes,
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
	parse: parseExactText,
} as const satisfies Field;

const typedData = {
	displayName: 'Typed Data',
	name: 'typedData',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder:
		'e.g. { "types": { "Mail": [{ "name": "text", "type": "string" }] }, "domain": { "name": "Example" }, "primaryType": "Mail", "message": { "text": "Hello" } }',
	description:
		'What was signed, as JSON: an object with types, domain, primaryType and message. The type EIP712Domain may be left out.',
	show: { signed: ['typedData'] },
	parse: (given: unknown) => given,
} as const satisfies Field;

const signedHash = {
	displayName: 'Hash',
	name: 'hash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
	description: 'The 32 bytes that were signed, as 0x-hex. Nothing is put before them.',
	show: { signed: ['hash'] },
	parse: parseHash,
} as const satisfies Field;

const verify = rpc({
	name: 'Verify',
	action: 'Verify a signature',
	description:
		'Find out whether an account or a contract signed a message, typed data or a hash, as the chain itself would decide',
	fields: [
		address,
		SIGNATURE,
		signed,
		message,
		typedData,
		signedHash,
		pathField('/'),
		rpcOptions(),
	],
	async *run(p, chain) {
		const { displayName } = typedData;
		const computeDigest = async () =>
			p.message
				? hashMessage(p.message)
				: await runInSlices(hashTypedDataInSlices(p.typedData, displayName));
		const digest = p.hash ?? encodeHex(await computeDigest());
		yield await verifySignature(chain, p.address, p.signature, digest);
	},
});

async function verifySignature(chain: Chain, address: string, signature: string, digest: string) {
	const account = checksumAddress(address);
	const [code, byKey] = await Promise.all([
		chain.call('eth_getCode', [address, 'latest']).then(hexParser('code as 0x-hex')),
		recoverSigner(chain, signature, digest),
	]);
	const { signer, problem } = byKey;
	if (signer === account) return { valid: true, signer, by: 'key' };
	if (code === '0x') {
		const reason = signer ? `It is the signature of ${signer}` : problem;
		return { valid: false, signer, by: 'key', reason };
	}
	const refusal = await readRefusal(chain, address, signature, digest);
	const outcome = { valid: refusal === undefined, signer: null, by: 'contract' };
	return refusal === undefined ? outcome : { ...outcome, reason: refusal };
}

/** The precompiled contract that recovers a signer. */
const ECRECOVER_ADDRESS = `0x${'1'.padStart(40, '0')}`;
const ECRECOVER_FUNCTION = parseFunction('ecrecover() returns (address)');
const NO_SIGNER = { signer: null, problem: 'No key can have made this signature' };

async function recoverSigner(chain: Chain, signature: string, digest: string) {
	const parts = catching(InvalidValue, () => parseKeySignature(signature));
	if (parts instanceof InvalidValue) return { signer: null, problem: parts.message };
	const { v, r, s } = parts;
	const data = digest + v.toString(16).padStart(64, '0') + r + s;
	const answer = hexParser('an address as 0x-hex')(
		await chain.call('eth_call', [{ to: ECRECOVER_ADDRESS, data }, 'latest']),
	);
	if (answer === '0x') return NO_SIGNER;
	const signer = catching(
		DecodingError,
		() => decodeFunctionResult(ECRECOVER_FUNCTION, answer).result,
	);
	return typeof signer === 'string' && BigInt(signer) !== 0n ? { signer, problem: '' } : NO_SIGNER;
}

/** The suffix of a signature by a contract that is not deployed yet (ERC-6492). */
const ERC6492_SUFFIX = '6492'.repeat(16);
const [FIRST_V, SECOND_V] = [27, 28] as const;

function isErc6492Signature(signature: string): boolean {
	return signature.endsWith(ERC6492_SUFFIX);
}

/** Parses 65 bytes, or 64, in which the highest bit of `s` holds `v` (EIP-2098). */
function parseKeySignature(signature: string) {
	const digits = signature.slice(2).toLowerCase();
	const [r, s, end] = [digits.slice(0, 64), digits.slice(64, 128), digits.slice(128)];
	if (digits.length === 128) {
		const isSecond = Number(`0x${s.slice(0, 1)}`) >= 8;
		const whole = BigInt.asUintN(255, BigInt(`0x${s}`));
		return { v: isSecond ? SECOND_V : FIRST_V, r, s: whole.toString(16).padStart(64, '0') };
	}
	if (isErc6492Signature(signature)) {
		return throwInvalidValue('It is made for a contract that is not on this chain yet (ERC-6492)');
	}
	if (digits.length !== 130) {
		return throwInvalidValue(
			`It has ${digits.length / 2} bytes; that of a key has 65, or 64 (EIP-2098)`,
		);
	}
	const last = Number(`0x${end}`);
	const v = last < FIRST_V ? last + FIRST_V : last;
	return v === FIRST_V || v === SECOND_V
		? { v, r, s }
		: throwInvalidValue(
				`Its last byte is ${last}; that of a key's signature is 27 or 28, or 0 or 1`,
			);
}

const IS_VALID_SIGNATURE_FUNCTION = parseFunction(
	'isValidSignature(bytes32 hash, bytes signature) returns (bytes4)',
);
/** The value that EIP-1271 defines for a valid signature. */
const VALID_SIGNATURE_VALUE = '0x1626ba7e';

/** Reads why the contract rejects the signature; undefined if it accepts it. */
async function readRefusal(
	chain: Chain,
	address: string,
	signature: string,
	digest: string,
): Promise<string | undefined> {
	const data = encodeFunctionData(IS_VALID_SIGNATURE_FUNCTION, [
		digest,
		unwrapSignature(signature),
	]);
	const answer = await chain
		.call('eth_call', [{ to: address, data }, 'latest'])
		.catch((failure) =>
			failure instanceof RequestFailure && isContractFailure(failure) ? failure : rethrow(failure),
		);
	if (answer instanceof RequestFailure) return `The contract refuses it: ${answer.message}`;
	if (answer === '0x') return 'The contract has no function isValidSignature';
	const returned = catching(
		DecodingError,
		() =>
			decodeFunctionResult(IS_VALID_SIGNATURE_FUNCTION, hexParser('an answer as 0x-hex')(answer))
				.result,
	);
	return returned === VALID_SIGNATURE_VALUE ? undefined : 'The contract does not take it for valid';
}

const ERC6492_WRAPPER_FUNCTION = parseFunction(
	'wrapped() returns (address factory, bytes data, bytes signature)',
);

/** Unwraps a signature that was made before its contract was deployed (ERC-6492); the contract exists by now. */
function unwrapSignature(signature: string): string {
	if (!isErc6492Signature(signature)) return signature;
	const content = signature.slice(0, -ERC6492_SUFFIX.length);
	const parts = catching(DecodingError, () =>
		decodeFunctionResult(ERC6492_WRAPPER_FUNCTION, content),
	);
	return parts instanceof DecodingError ? signature : String(parts.signature);
}

export const signature = { name: 'Signature', operations: { verify } };
