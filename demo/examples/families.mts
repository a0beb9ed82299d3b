/** The families of chains and services, in the order of the list, and the nodes by which an example is one of theirs. */
const FAMILIES: ReadonlyArray<readonly [family: string, nodes: readonly string[]]> = [
	['EVM chains', ['evmRpc', 'evmRpcTrigger', 'activityTrigger', 'trace']],
	['Witness chain', ['witnessWallet', 'witnessWalletTrigger']],
	['TON', ['ton', 'tonFee', 'tonTrigger']],
	['STARK rollup', ['stark', 'starkTrigger', 'l2Simulate']],
	['gRPC', ['grpc', 'grpcTrigger']],
	['Platform', ['platform', 'ipfsPin', 'faucet']],
];

export const FAMILY_NAMES: readonly string[] = FAMILIES.map(([family]) => family);

/** Returns the first family of which a workflow has a node, which may be a tool of an agent. */
export function findFamily(types: readonly string[]): string {
	const names = types.map((type) => type.split('.').at(-1)?.replace(/Tool$/, ''));
	const found = FAMILIES.find(([, nodes]) => names.some((name) => name && nodes.includes(name)));
	if (!found) throw new Error(`No family of chains has the nodes ${types.join(', ')}`);
	return found[0];
}
