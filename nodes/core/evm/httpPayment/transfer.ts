import { catching } from '../../values/parse';
import { encodeFunctionData } from '../abi/call';
import { DecodingError } from '../abi/data';
import { parseKeySignature } from '../signatures';
import { EIP3009_FUNCTIONS, type Authorization } from './authorization';

/** Half of the order of secp256k1. A signature has two possible values of `s`, and tokens accept only the lower. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Whether the signature is a key's, in the form that tokens refuse. */
export function isHighS(signature: string): boolean {
	const parts = catching(DecodingError, () => parseKeySignature(signature));
	return !(parts instanceof DecodingError) && BigInt(`0x${parts.s}`) > HIGHEST_S;
}

/**
 * Encodes the call that carries out an authorization. The signature of a contract is passed as bytes, the signature of a
 * key in parts.
 */
export function encodeTransfer(
	authorization: Authorization,
	signature: string,
	by: 'key' | 'contract',
): string {
	const { from, to, value, validAfter, validBefore, nonce } = authorization;
	const terms = [from, to, value, validAfter, validBefore, nonce];
	if (by === 'contract') {
		return encodeFunctionData(EIP3009_FUNCTIONS.transferByBytes, [...terms, signature]);
	}
	const { v, r, s } = parseKeySignature(signature);
	return encodeFunctionData(EIP3009_FUNCTIONS.transferByParts, [...terms, v, `0x${r}`, `0x${s}`]);
}
