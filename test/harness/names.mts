import { encodeFunctionData, namehash, type Abi } from 'viem';
import { REGISTRY } from '../../nodes/core/chain/names';
import { compiled } from './contract.mts';

type Call = (method: string, ...params: unknown[]) => Promise<unknown>;

/** Puts a registry where ENS has its own, with a name that stands for an account, which calls itself so. */
export async function registerName(chain: Call, name: string, account: string, url: string) {
	const [from] = (await chain('eth_accounts')) as [string];
	const { abi: registryAbi, ...registry } = await compiled('Names', 'Registry');
	const { abi: recordsAbi, ...own } = await compiled('Names', 'Records');
	const put = async ({ bytecode: data }: { bytecode: string }) => {
		const hash = await chain('eth_sendTransaction', { from, data });
		const receipt = await chain('eth_getTransactionReceipt', hash);
		return (receipt as { contractAddress: string }).contractAddress;
	};
	const send = async (to: string, abi: readonly unknown[], functionName: string, args: unknown[]) =>
		await chain('eth_sendTransaction', {
			...{ from, to },
			data: encodeFunctionData({ abi: abi as Abi, functionName, args }),
		});
	const records = await put(own);
	await chain('anvil_setCode', REGISTRY, await chain('eth_getCode', await put(registry), 'latest'));
	const reverse = namehash(`${account.slice(2).toLowerCase()}.addr.reverse`);
	for (const node of [namehash(name), reverse]) {
		await send(REGISTRY, registryAbi, 'setResolver', [node, records]);
	}
	await send(records, recordsAbi, 'setAddr', [namehash(name), account]);
	await send(records, recordsAbi, 'setText', [namehash(name), 'url', url]);
	await send(records, recordsAbi, 'setName', [reverse, name]);
}
