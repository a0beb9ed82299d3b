import { ChainNodeXTokenApi } from '../../../../grpc/credentials/ChainNodeXTokenApi.credentials';
import { getNode } from '../../../../test/harness/nodes.mts';
import { activateTrigger } from '../../../../test/harness/trigger.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';

export async function runGrpcTrigger({ sandbox }: World): Promise<Sample[]> {
	const parameters = {
		service: 'chain.v1.ChainService',
		method: 'StreamBlocks',
		requests: '[{ "from": "19000000" }]',
	};
	const active = await activateTrigger({
		node: getNode('grpcTrigger'),
		parameters,
		credentials: {
			chainNodeXTokenApi: {
				endpoint: String(sandbox.grpcEndpoint),
				xToken: String(sandbox.xToken),
				tls: true,
			},
		},
		credentialTypes: [new ChainNodeXTokenApi()],
	});
	const [first = {}] = await active.has(1);
	await active.close();
	return [{ node: 'grpcTrigger', part: 'node', parameters, items: [first] }];
}
