import { namehash } from 'ethers';
import { encodeCall, type CompiledContract } from './contracts.mts';
import type { Sandbox } from './sandbox.mts';

/** The address of the ENS registry, which is the same on every chain that has one. */
const ENS_REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';

interface DeployedContract {
	code: CompiledContract;
	address: string;
}

export async function registerName(
	{ chain, mine }: Sandbox,
	from: string,
	{ registry, resolver }: { registry: DeployedContract; resolver: DeployedContract },
	{ name, address }: { name: string; address: string },
): Promise<void> {
	// The registry's code is copied to its fixed address. Its storage stays behind, so the name is registered afterwards.
	await chain(
		'anvil_setCode',
		ENS_REGISTRY,
		await chain('eth_getCode', registry.address, 'latest'),
	);
	const node = namehash(name);
	const points = encodeCall(registry.code, 'setResolver(bytes32,address)', node, resolver.address);
	await mine({ from, to: ENS_REGISTRY, data: points });
	const setAddress = encodeCall(resolver.code, 'setAddr(bytes32,address)', node, address);
	await mine({ from, to: resolver.address, data: setAddress });
}
