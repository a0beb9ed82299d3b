import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { decodeCid, formatCid } from '../../../nodes/core/ipfs/cid';
import { getContract } from '../../harness/contract.mts';
import { runNode } from '../../harness/engine.mts';
import { figure } from '../../harness/figure.mts';
import { CAR_TYPE, encodeBlock, encodeBlockCar } from '../../harness/metadataGateway.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { createTestServer } from '../../harness/server.mts';

const CONTRACTS = 100;
const LATENCY_MS = 25;

const sandbox = createSandbox({ chain: true });
const cars = new Map<string, Buffer>();
const gateway = createTestServer(({ path }, response) => {
	setTimeout(() => {
		response.writeHead(200, { 'Content-Type': CAR_TYPE });
		response.end(cars.get(path.split(/[/?]/)[2] ?? ''));
	}, LATENCY_MS);
});

const HASH_BYTES = 34;

/** Deploys a contract whose metadata differs from that of every other contract. */
async function putContract(number: number): Promise<string> {
	const { metadata, evm } = await getContract('Tokens', 'Coin');
	const block = encodeBlock(metadata.replace('{', `{"number":${number},`));
	const code = Buffer.from(evm.deployedBytecode.object, 'hex');
	const at = code.lastIndexOf(encodeBlock(metadata).cid);
	const own = Buffer.concat([code.subarray(0, at), block.cid, code.subarray(at + HASH_BYTES)]);
	const address = `0x${(number + 1).toString(16).padStart(40, 'c')}`;
	await sandbox.chain('anvil_setCode', address, `0x${own.toString('hex')}`);
	cars.set(formatCid(decodeCid(block.cid)!.cid), encodeBlockCar(block));
	return address;
}

test('contracts by their addresses', async () => {
	const contracts = await Promise.all(
		Array.from({ length: CONTRACTS }, (_, at) => putContract(at)),
	);
	await sandbox.control('PUT', '/latency', { ms: LATENCY_MS, room: 'node' });
	for (const [how, given] of [
		['by their bytecode', {}],
		['by their metadata', { gateway: gateway.url }],
	] as const) {
		const times: number[] = [];
		for (let run = 0; run < 3; run++) {
			const begun = performance.now();
			const { items, error } = await runNode({
				node: new EvmRpc(),
				parameters: {
					resource: 'contract',
					operation: 'describe',
					contract: '={{ $json.contract }}',
					...given,
				},
				credentials: sandbox.credentials.token,
				items: contracts.map((contract) => ({ json: { contract } })),
			});
			times.push((performance.now() - begun) / 1000);
			expect(error?.message).toBeUndefined();
			const sources = gateway.received.length === 0 ? 'standard' : 'metadata';
			const named = items.filter(({ json }) => json.source === sources && json.name === 'transfer');
			expect(named).toHaveLength(CONTRACTS);
		}
		const [first = 0] = times;
		figure(
			`${CONTRACTS} contracts described ${how}, each answer after ${LATENCY_MS} ms: ${Math.min(...times).toFixed(2)} s (at first ${first.toFixed(2)} s)`,
		);
	}
});
