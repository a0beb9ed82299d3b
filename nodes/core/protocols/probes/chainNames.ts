/** Chains that people know by name, by their ID. */
const NAMES: Readonly<Record<string, string>> = {
	1: 'Ethereum',
	10: 'OP Mainnet',
	25: 'Cronos',
	56: 'BNB Smart Chain',
	97: 'BNB Smart Chain Testnet',
	100: 'Gnosis',
	137: 'Polygon',
	146: 'Sonic',
	250: 'Fantom',
	300: 'zkSync Sepolia',
	324: 'zkSync Era',
	1284: 'Moonbeam',
	5000: 'Mantle',
	8217: 'Kaia',
	8453: 'Base',
	17000: 'Holesky',
	31337: 'local development',
	42161: 'Arbitrum One',
	42220: 'Celo',
	43114: 'Avalanche C-Chain',
	59144: 'Linea',
	80002: 'Polygon Amoy',
	84532: 'Base Sepolia',
	421614: 'Arbitrum Sepolia',
	534351: 'Scroll Sepolia',
	534352: 'Scroll',
	560048: 'Hoodi',
	11155111: 'Sepolia',
	11155420: 'OP Sepolia',
};

/** As in "chain 11155111 (Sepolia)"; a chain without a well-known name goes by its ID alone. */
export function chainName(id: string): string {
	const name = Object.hasOwn(NAMES, id) ? NAMES[id] : undefined;
	return name === undefined ? `chain ${id}` : `chain ${id} (${name})`;
}
