import { encodeFunctionData, namehash, type Abi } from 'viem';
import { ENS_REGISTRY } from '../../nodes/core/evm/names';
import { compileContract } from './contract.mts';

/** A chain that signs for its own accounts. `mine` sends a transaction and waits until it is in a block. */
interface Chain {
	readonly call: (method: string, ...params: unknown[]) => Promise<unknown>;
	readonly mine: (transaction: object) => Promise<{ readonly contractAddress?: unknown }>;
}

/** Deploys a registry at the address of ENS. The name then resolves to the account, and the account to the name. */
export async function registerName(
	{ call, mine }: Chain,
	name: string,
	account: string,
	url: string,
) {
	const [from] = (await call('eth_accounts')) as [string];
	const registry = await compileContract('Names', 'Registry');
	const records = await compileContract('Names', 'Records');
	const put = async ({ bytecode: data }: { bytecode: string }) =>
		String((await mine({ from, data })).contractAddress);
	const sendTo =
		(to: string, { abi }: { abi: readonly unknown[] }) =>
		async (functionName: string, ...args: unknown[]) =>
			await mine({
				from,
				to,
				data: encodeFunctionData({ abi: abi as Abi, functionName, args }),
			});
	const resolver = await put(records);
	const code = await call('eth_getCode', await put(registry), 'latest');
	await call('anvil_setCode', ENS_REGISTRY, code);
	const [toRegistry, toResolver] = [sendTo(ENS_REGISTRY, registry), sendTo(resolver, records)];
	const reverse = namehash(`${account.slice(2).toLowerCase()}.addr.reverse`);
	for (const node of [namehash(name), reverse]) await toRegistry('setResolver', node, resolver);
	await toResolver('setAddr', namehash(name), account);
	await toResolver('setText', namehash(name), 'url', url);
	await toResolver('setName', reverse, name);
}
