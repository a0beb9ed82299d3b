import { checksummed } from '../values/hex';
import { keccak256 } from '../values/keccak';
import { numberBytes, rlp } from './rlp';

/** Where the contract that this account deploys with this nonce will be (CREATE). */
export function deployedAddress(deployer: string, nonce: bigint): string {
	return addressOf(rlp([bytesOf(deployer), numberBytes(nonce)]));
}

/** Where a contract deploys this bytecode with this salt (CREATE2, EIP-1014). All are 0x-hex. */
export function saltedAddress(deployer: string, salt: string, bytecode: string): string {
	const parts = [
		Buffer.from([0xff]),
		bytesOf(deployer),
		bytesOf(salt),
		keccak256(bytesOf(bytecode)),
	];
	return addressOf(Buffer.concat(parts));
}

/** The last 20 bytes of the hash. */
function addressOf(preimage: Buffer): string {
	return checksummed(keccak256(preimage).toString('hex').slice(-40));
}

function bytesOf(hex: string): Buffer {
	return Buffer.from(hex.slice(2), 'hex');
}
