/** The names of chains in version 1 of x402. Version 2 names chains by their IDs (CAIP-2). */
const CHAIN_IDS_BY_NAME: Readonly<Record<string, bigint>> = {
	abstract: 2741n,
	'abstract-testnet': 11_124n,
	avalanche: 43_114n,
	'avalanche-fuji': 43_113n,
	base: 8453n,
	'base-sepolia': 84_532n,
	celo: 42_220n,
	educhain: 41_923n,
	ethereum: 1n,
	flare: 14n,
	iotex: 4689n,
	megaeth: 4326n,
	monad: 143n,
	peaq: 3338n,
	polygon: 137n,
	'polygon-amoy': 80_002n,
	sei: 1329n,
	'sei-testnet': 1328n,
	sepolia: 11_155_111n,
	'skale-base-sepolia': 324_705_682n,
	stable: 988n,
	'stable-testnet': 2201n,
	story: 1514n,
};

/** The name of an EVM chain by its ID, as CAIP-2 defines it. */
const EIP155_PATTERN = /^eip155:([1-9]\d{0,30})$/;

/** Formats a chain as version 2 does, such as `eip155:8453`. */
export function formatNetwork(chainId: bigint): string {
	return `eip155:${chainId}`;
}

/** Returns the name of a chain in version 1 of x402, such as `base`; undefined if the chain has no such name. */
export function findNetworkName(chainId: bigint): string | undefined {
	return Object.keys(CHAIN_IDS_BY_NAME).find((name) => CHAIN_IDS_BY_NAME[name] === chainId);
}

/** Parses the name of a chain in version 1 or 2 of x402 to its ID; undefined if it is not a known EVM chain. */
export function parseNetwork(network: unknown): bigint | undefined {
	if (typeof network !== 'string') return undefined;
	const [, id] = EIP155_PATTERN.exec(network) ?? [];
	if (id !== undefined) return BigInt(id);
	return Object.hasOwn(CHAIN_IDS_BY_NAME, network) ? CHAIN_IDS_BY_NAME[network] : undefined;
}
