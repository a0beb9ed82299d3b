import type { INodeParameters } from 'n8n-workflow';
import { activateTrigger } from '../../../../test/harness/trigger.mts';
import { getNode } from '../nodes.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { getCredentials, credentialTypes, createOperationRunner } from './run.mts';

const service = 'chain.v1.ChainService';

export async function runGrpc(world: World): Promise<Sample[]> {
	const run = createOperationRunner(world, 'grpc', 'xToken');
	return [
		await run('listServices'),
		await run('describe', { service }),
		await run('call', { service, method: 'GetBlock', request: '{ "number": "19000000" }' }),
		await runStream(world, {
			service,
			method: 'StreamBlocks',
			requests: '[{ "from": "19000000" }]',
		}),
	];
}

async function runStream({ sandbox }: World, parameters: INodeParameters): Promise<Sample> {
	const credentials = getCredentials(sandbox, 'xToken');
	const node = getNode('grpcTrigger');
	const active = await activateTrigger({ node, parameters, credentials, credentialTypes });
	const [first = {}] = await active.has(1);
	await active.close();
	return { node: 'grpcTrigger', part: 'node', parameters, items: [first] };
}
