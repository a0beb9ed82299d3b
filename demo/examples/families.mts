/** The families of chains and services, in the order of the list, and the nodes by which an example is one of theirs. */
const FAMILIES: ReadonlyArray<readonly [family: string, nodes: readonly string[]]> = [
	['EVM chains', ['evmRpc', 'evmRpcTrigger', 'activityTrigger', 'trace', 'pay evm', 'link evm']],
	['TRON', ['witnessWallet', 'witnessWalletTrigger', 'pay witness']],
	['TON', ['ton', 'tonFee', 'tonTrigger', 'pay ton', 'link ton']],
	['STARK rollup', ['stark', 'starkTrigger', 'l2Simulate', 'pay stark']],
	['gRPC', ['grpc', 'grpcTrigger']],
	['Platform', ['platform', 'ipfsPin', 'faucet']],
	// An example with no other node than the signer buys from another server.
	['Payments over HTTP', ['signer']],
];

export const FAMILY_NAMES: readonly string[] = FAMILIES.map(([family]) => family);

interface Node {
	readonly type: string;
	readonly parameters: object;
}

/** Returns the families of which a workflow has nodes, which may be tools of an agent. */
export function findFamilies(nodes: readonly Node[]): readonly string[] {
	const names = nodes.map(nameNode);
	const found = FAMILIES.filter(([, own]) => names.some((name) => own.includes(name)));
	if (found.length === 0) throw new Error(`No family of chains has the nodes ${names.join(', ')}`);
	// A signing node belongs to the family that it signs for, where another node says which.
	const families = found.length > 1 ? found.filter(([, own]) => !own.includes('signer')) : found;
	return families.map(([family]) => family);
}

/** Chain Pay and payment links belong to the family of the payment. */
function nameNode({ type, parameters }: Node): string {
	const name = type.split('.').at(-1)?.replace(/Tool$/, '') ?? '';
	const { chain, resource } = parameters as { chain?: string; resource?: string };
	if (name === 'utilities' && resource === 'payment') return `link ${chain ?? 'evm'}`;
	return name === 'pay' && chain !== undefined ? `pay ${chain}` : name;
}
