/**
 * The families of chains and services, each with the names of its nodes. An example with such a node belongs to the
 * family. The outcomes of the examples are printed in this order.
 */
const FAMILIES: ReadonlyArray<readonly [family: string, nodes: readonly string[]]> = [
	['EVM chains', ['evmRpc', 'evmRpcTrigger', 'activityTrigger', 'trace', 'pay evm', 'link evm']],
	['TRON', ['witnessWallet', 'witnessWalletTrigger', 'pay witness']],
	['TON', ['ton', 'tonFee', 'tonTrigger', 'pay ton', 'link ton']],
	['STARK rollup', ['stark', 'starkTrigger', 'l2Simulate', 'pay stark']],
	['gRPC', ['grpc', 'grpcTrigger']],
	['Platform', ['platform', 'ipfsPin', 'faucet']],
	// An example with no other family's nodes uses the signer to pay another server for a resource.
	['Payments over HTTP', ['signer']],
];

export const FAMILY_NAMES: readonly string[] = FAMILIES.map(([family]) => family);

interface Node {
	readonly type: string;
	readonly parameters: object;
}

/** Returns the families that the nodes of a workflow belong to. Tools of an agent count as nodes. */
export function findFamilies(nodes: readonly Node[]): readonly string[] {
	const names = nodes.map(nameNode);
	const found = FAMILIES.filter(([, own]) => names.some((name) => own.includes(name)));
	if (found.length === 0) throw new Error(`No family of chains has the nodes ${names.join(', ')}`);
	// A signer supports several families. If another node tells the family of the example, the signer does not count.
	const families = found.length > 1 ? found.filter(([, own]) => !own.includes('signer')) : found;
	return families.map(([family]) => family);
}

/**
 * Returns the name of a node in `FAMILIES`. For Chain Pay and for payment links, it contains the family of the payment.
 */
function nameNode({ type, parameters }: Node): string {
	const name = type.split('.').at(-1)?.replace(/Tool$/, '') ?? '';
	const { chain, resource } = parameters as { chain?: string; resource?: string };
	if (name === 'utilities' && resource === 'payment') return `link ${chain ?? 'evm'}`;
	return name === 'pay' && chain !== undefined ? `pay ${chain}` : name;
}
