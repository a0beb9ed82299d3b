/** The families of chains and services, in the order of the list, and the nodes by which an example is one of theirs. */
const FAMILIES: ReadonlyArray<readonly [family: string, nodes: readonly string[]]> = [
	['EVM chains', ['evmRpc', 'evmRpcTrigger', 'activityTrigger', 'trace', 'pay evm']],
	['Witness chain', ['witnessWallet', 'witnessWalletTrigger', 'pay witness']],
	['TON', ['ton', 'tonFee', 'tonTrigger', 'pay ton']],
	['STARK rollup', ['stark', 'starkTrigger', 'l2Simulate', 'pay stark']],
	['gRPC', ['grpc', 'grpcTrigger']],
	['Platform', ['platform', 'ipfsPin', 'faucet']],
	// One that has the signer alone buys at the address of another server.
	['Payments over HTTP', ['signer']],
];

export const FAMILY_NAMES: readonly string[] = FAMILIES.map(([family]) => family);

interface Node {
	readonly type: string;
	readonly parameters: object;
}

/** Returns the first family of which a workflow has a node, which may be a tool of an agent. */
export function findFamily(nodes: readonly Node[]): string {
	const names = nodes.map(nameNode);
	const found = FAMILIES.find(([, own]) => names.some((name) => own.includes(name)));
	if (!found) throw new Error(`No family of chains has the nodes ${names.join(', ')}`);
	return found[0];
}

/** Chain Pay is of the family that it pays on. */
function nameNode({ type, parameters }: Node): string {
	const name = type.split('.').at(-1)?.replace(/Tool$/, '') ?? '';
	return name === 'pay' && 'chain' in parameters ? `pay ${String(parameters.chain)}` : name;
}
