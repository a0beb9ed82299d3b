import type { Read } from '../core/values/read';
import { unfit } from '../core/values/read';
import { text } from '../core/values/basic';
import { evmAddress } from '../core/values/hex';
import { tonAddress } from '../core/values/ton';

/** The chains of the document. */
export const CHAINS = [
	{ name: 'Amoy', value: 'amoy', description: 'Testnet POL' },
	{ name: 'BNB Testnet', value: 'bnb-testnet', description: 'Testnet BNB' },
	{ name: 'Hoodi', value: 'hoodi', description: 'Testnet ETH' },
	{ name: 'Scroll Sepolia Testnet', value: 'scroll-sepolia-testnet', description: 'Testnet ETH' },
	{ name: 'Sepolia', value: 'sepolia', description: 'Testnet ETH' },
	{ name: 'TON Testnet', value: 'ton-testnet', description: 'TON on the test network' },
	{ name: 'zkSync Testnet', value: 'zksync-testnet', description: 'Testnet ETH' },
] as const;

/** A chain of the menu, or any other by expression: it becomes a part of the path. */
export const chainName: Read<string> = (given) => {
	const name = text(given);
	return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
		? name
		: unfit('the name of a chain, such as sepolia');
};

/** A payment to a mistyped address is gone, so the address is checked as its chain spells it. */
export function addressOn(chain: string): Read<string> {
	if (/^ton(-|$)/.test(chain)) return tonAddress;
	return CHAINS.some(({ value }) => value === chain) ? evmAddress : plainAddress;
}

const plainAddress: Read<string> = (given) => {
	const address = text(given);
	if (address.toLowerCase().startsWith('0x')) return evmAddress(address);
	return /^[\w:.-]{8,128}$/.test(address) ? address : unfit('an address of this chain');
};
