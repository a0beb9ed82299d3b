import { abiBytes, abiText, fixedBytes } from './bytes';
import { signed, unsigned } from './integer';
import { mistake } from './mistake';
import { address, bool } from './simple';
import type { AbiType } from './type';

const TYPES = new Map<string, AbiType>([
	['address', address],
	['bool', bool],
	['bytes', abiBytes],
	['string', abiText],
	['byte', fixedBytes(1)],
	['uint', unsigned(256)],
	['int', signed(256)],
]);

for (let size = 1; size <= 32; size++) {
	for (const type of [unsigned(size * 8), signed(size * 8), fixedBytes(size)]) {
		TYPES.set(type.name, type);
	}
}

/** The type of this name, long or short. */
export function elementary(name: string): AbiType {
	return TYPES.get(name) ?? mistake(reason(name));
}

function reason(name: string): string {
	if (name === 'function') return 'function types are not supported';
	if (/^u?fixed(\d+x\d+)?$/.test(name)) return 'fixed-point numbers are not supported';
	if (/^u?int\d+$/.test(name)) return `there is no ${name}: integers have 8, 16, 24 … 256 bits`;
	if (/^bytes\d+$/.test(name)) return `there is no ${name}: only bytes1 to bytes32, and bytes`;
	return `'${name}' is not an ABI type; write address for a contract, uint8 for an enum, a tuple such as (uint256 a, address b) for a struct`;
}
