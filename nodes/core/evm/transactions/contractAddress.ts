import { checksumAddress } from '../address';
import { keccak256 } from '../../values/keccak';
import { encodeNumberBytes, encodeRlp } from './rlp';

/** Computes the address of a contract that an account deploys with a nonce (CREATE). */
export function getCreateAddress(deployer: string, nonce: bigint): string {
	return hashToAddress(encodeRlp([decodeHex(deployer), encodeNumberBytes(nonce)]));
}

/** Computes the address of a contract that is deployed with a salt (CREATE2, EIP-1014). All arguments are 0x-hex. */
export function getCreate2Address(deployer: string, salt: string, bytecode: string): string {
	const parts = [
		Buffer.from([0xff]),
		decodeHex(deployer),
		decodeHex(salt),
		keccak256(decodeHex(bytecode)),
	];
	return hashToAddress(Buffer.concat(parts));
}

/** Computes an address, which is the last 20 bytes of the hash. */
function hashToAddress(preimage: Buffer): string {
	return checksumAddress(`0x${keccak256(preimage).toString('hex').slice(-40)}`);
}

function decodeHex(hex: string): Buffer {
	return Buffer.from(hex.slice(2), 'hex');
}
