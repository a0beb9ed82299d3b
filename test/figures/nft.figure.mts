import { encodeFunctionData, type Abi } from 'viem';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { deployContract } from '../harness/contract.mts';
import { runNode } from '../harness/engine.mts';
import { startSandbox } from '../harness/sandbox.mts';
import { figure } from './figure.mts';

const TOKENS = 1000;
const AT_ONCE = 250;
const LATENCY = 25;

test('owners of NFTs', async () => {
	const sandbox = await startSandbox({ chain: true });
	const { address, owner, abi } = await deployContract(sandbox, 'Collection', { file: 'Nfts' });
	for (let first = 0; first < TOKENS; first += AT_ONCE) {
		const args = [owner, BigInt(first), BigInt(AT_ONCE)];
		const data = encodeFunctionData({ abi: abi as Abi, functionName: 'mintMany', args });
		await sandbox.mined({ from: owner, to: address, data, gas: '0x1c9c380' });
	}
	const run = async () =>
		await runNode({
			node: new EvmRpc(),
			parameters: {
				resource: 'nft',
				operation: 'get',
				contract: address,
				tokenId: '={{ $json.id }}',
				options: { fetchMetadata: false },
			},
			credentials: sandbox.credentials.token,
			items: Array.from({ length: TOKENS }, (_, id) => ({ json: { id: String(id) } })),
		});
	await run();
	await sandbox.reset();
	await sandbox.fault({ room: 'node', times: -1, do: { delay: LATENCY } });
	const [begun, before] = [performance.now(), process.cpuUsage()];
	const { items, error } = await run();
	const seconds = (performance.now() - begun) / 1000;
	const { user, system } = process.cpuUsage(before);
	expect(error).toBeUndefined();
	expect(items.filter(({ json }) => json.owner)).toHaveLength(TOKENS);
	const requests = await sandbox.record();
	const calls = requests.reduce((sum, one) => sum + one.calls, 0);
	const cpu = ((user + system) / 1_000_000).toFixed(2);
	figure(
		`the owners of ${TOKENS} NFTs at ${LATENCY} ms: ${seconds.toFixed(2)} s, ${cpu} s of them CPU; ${calls} calls in ${requests.length} requests`,
	);
	await sandbox.stop();
});
