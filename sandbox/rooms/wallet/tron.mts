export type Tron = typeof import('tronweb');

/** Loaded with the first request that needs it: it takes a second. */
export const loadTron = (): Promise<Tron> => import('tronweb');

/** What the chain refuses; shown as `{"Error": "class … : words"}` with HTTP 200. */
export class ContractFailure extends Error {}

/** The 21 bytes of an address in hex; its form must be the one that `visible` asks for. */
export function accountOf(address: string, visible: boolean, { utils }: Tron): string {
	if (!visible && !/^([0-9a-f]{2})*$/i.test(address)) {
		throw new ContractFailure(`INVALID hex String: "${address}"`);
	}
	const hex = visible && utils.crypto.isAddressValid(address) ? utils.address.toHex(address) : '';
	const account = visible ? hex : address.toLowerCase();
	if (/^41[0-9a-f]{40}$/.test(account)) return account;
	const wanted = visible ? 'base58check is required' : '21 bytes that start with 41 are required';
	throw new ContractFailure(`Invalid address: ${wanted}, got "${address}"`);
}
