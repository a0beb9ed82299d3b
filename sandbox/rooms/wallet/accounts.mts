import type { TronWeb } from './tools.mts';

/** What the chain refuses; shown as `{"Error": "class … : words"}` with HTTP 200. */
export class ContractFailure extends Error {}

/** The 21 bytes of an address in hex; its form must be the one that `visible` asks for. */
export function parseAccount(address: string, visible: boolean, { utils }: TronWeb): string {
	if (visible) {
		if (utils.crypto.isAddressValid(address)) return utils.address.toHex(address);
		throw new ContractFailure(`Invalid address: base58check is required, got "${address}"`);
	}
	if (!isHex(address)) throw new ContractFailure(`INVALID hex String: "${address}"`);
	if (/^41.{40}$/.test(address)) return address.toLowerCase();
	const words = '21 bytes that start with 41 are required';
	throw new ContractFailure(`Invalid address: ${words}, got "${address}"`);
}

export const isHex = (text: string) => /^([0-9a-f]{2})*$/i.test(text);
