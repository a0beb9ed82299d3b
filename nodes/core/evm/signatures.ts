import type { RpcReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { isAboutTransaction } from '../net/responses/rpcErrors';
import { numberToHex } from '../values/numbers';
import { catching, rethrow } from '../values/parse';
import { decodeFunctionResult, encodeFunctionData, parseFunction } from './abi/call';
import { DecodingError } from './abi/data';
import { checksumAddress } from './address';
import { hexParser } from './chainObjects';
import { raise } from '../errors/raise';

/** Whether a signature is valid for an account, and whether a key or the account's contract decided so. */
export interface VerifiedSignature {
	readonly valid: boolean;
	/** The account that a key's signature leads to; null if there is none. */
	readonly signer: string | null;
	readonly by: 'key' | 'contract';
	/** Why it is not valid. */
	readonly reason?: string;
}

/**
 * Verifies the signature of a hash as the chain does: by recovering the key, or by asking the account's contract
 * (EIP-1271).
 */
export async function verifySignature(
	reader: RpcReader,
	address: string,
	signature: string,
	digest: string,
	maxGas?: bigint,
): Promise<VerifiedSignature> {
	const account = checksumAddress(address);
	const [code, byKey] = await Promise.all([
		reader.call('eth_getCode', [address, 'latest']).then(hexParser('code as 0x-hex')),
		recoverSigner(reader, signature, digest),
	]);
	const { signer, problem } = byKey;
	if (signer === account) return { valid: true, signer, by: 'key' };
	if (code === '0x') {
		const reason = signer ? `It is the signature of ${signer}` : problem;
		return { valid: false, signer, by: 'key', reason };
	}
	const refusal = await readRefusal(reader, { address, signature, digest, maxGas });
	const outcome = { valid: refusal === undefined, signer: null, by: 'contract' } as const;
	return refusal === undefined ? outcome : { ...outcome, reason: refusal };
}

/** The address of the precompiled contract that recovers the signer of a hash. */
const ECRECOVER_ADDRESS = `0x${'1'.padStart(40, '0')}`;
const ECRECOVER_FUNCTION = parseFunction('ecrecover() returns (address)');
const NO_SIGNER = { signer: null, problem: 'No key can have made this signature' };

async function recoverSigner(reader: RpcReader, signature: string, digest: string) {
	const parts = catching(DecodingError, () => parseKeySignature(signature));
	if (parts instanceof DecodingError) return { signer: null, problem: parts.message };
	const { v, r, s } = parts;
	const data = digest + v.toString(16).padStart(64, '0') + r + s;
	const answer = hexParser('an address as 0x-hex')(
		await reader.call('eth_call', [{ to: ECRECOVER_ADDRESS, data }, 'latest']),
	);
	if (answer === '0x') return NO_SIGNER;
	const signer = catching(
		DecodingError,
		() => decodeFunctionResult(ECRECOVER_FUNCTION, answer).result,
	);
	return typeof signer === 'string' && BigInt(signer) !== 0n ? { signer, problem: '' } : NO_SIGNER;
}

/** The suffix of a signature for a contract that is not deployed yet (ERC-6492). */
const ERC6492_SUFFIX = '6492'.repeat(16);
const [FIRST_V, SECOND_V] = [27, 28] as const;

export function isErc6492Signature(signature: string): boolean {
	return signature.endsWith(ERC6492_SUFFIX);
}

/**
 * Parses a signature of 65 bytes, or of 64 bytes, where the highest bit of `s` contains `v` (EIP-2098). Throws
 * DecodingError with a message for the user.
 */
export function parseKeySignature(signature: string) {
	const digits = signature.slice(2).toLowerCase();
	const [r, s, end] = [digits.slice(0, 64), digits.slice(64, 128), digits.slice(128)];
	if (digits.length === 128) {
		const isSecond = Number(`0x${s.slice(0, 1)}`) >= 8;
		const whole = BigInt.asUintN(255, BigInt(`0x${s}`));
		return { v: isSecond ? SECOND_V : FIRST_V, r, s: whole.toString(16).padStart(64, '0') };
	}
	if (isErc6492Signature(signature)) {
		throw new DecodingError(
			'The signature is made for a contract that is not on this chain yet (ERC-6492)',
		);
	}
	if (digits.length !== 130) {
		throw new DecodingError(
			`The signature has ${digits.length / 2} bytes; a key's signature has 65, or 64 (EIP-2098)`,
		);
	}
	const last = Number(`0x${end}`);
	const v = last < FIRST_V ? last + FIRST_V : last;
	return v === FIRST_V || v === SECOND_V
		? { v, r, s }
		: raise(
				new DecodingError(
					`The last byte of the signature is ${last}; a key's signature ends with 27 or 28, or 0 or 1`,
				),
			);
}

const IS_VALID_SIGNATURE_FUNCTION = parseFunction(
	'isValidSignature(bytes32 hash, bytes signature) returns (bytes4)',
);
/** What a contract returns for a valid signature (EIP-1271). */
const VALID_SIGNATURE_VALUE = '0x1626ba7e';

interface ContractSignature {
	readonly address: string;
	readonly signature: string;
	readonly digest: string;
	/** How much gas the contract may use; undefined if there is no limit. */
	readonly maxGas: bigint | undefined;
}

/** Reads the reason why the contract rejects the signature; undefined if the contract accepts it. */
async function readRefusal(
	reader: RpcReader,
	{ address, signature, digest, maxGas }: ContractSignature,
): Promise<string | undefined> {
	const data = encodeFunctionData(IS_VALID_SIGNATURE_FUNCTION, [
		digest,
		unwrapSignature(signature),
	]);
	const call = { to: address, data, ...(maxGas && { gas: numberToHex(maxGas) }) };
	const answer = await reader
		.call('eth_call', [call, 'latest'])
		.catch((failure) => (isAboutTransaction(failure) ? failure : rethrow(failure)));
	if (answer instanceof RequestFailure) {
		const within = maxGas ? ` within ${maxGas} gas` : '';
		return `The contract refuses it${within}: ${answer.message}`;
	}
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

/**
 * Unwraps a signature that was made before the account's contract was deployed (ERC-6492). The contract is deployed by
 * now.
 */
function unwrapSignature(signature: string): string {
	if (!isErc6492Signature(signature)) return signature;
	const content = signature.slice(0, -ERC6492_SUFFIX.length);
	const parts = catching(DecodingError, () =>
		decodeFunctionResult(ERC6492_WRAPPER_FUNCTION, content),
	);
	return parts instanceof DecodingError ? signature : String(parts.signature);
}
