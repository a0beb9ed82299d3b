import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../../test/harness/engine.mts';
import { buildHostileForms, StolenValues } from '../../test/harness/hostile.mts';
import { inspectAll } from '../../test/harness/spellings.mts';
import { Grpc } from '../nodes/Grpc/Grpc.node';
import { credentialTypes } from './support/grpcSandbox.mts';

const TOKEN = 'token-of-the-test-0123456789';
const CALL: INodeParameters = {
	operation: 'call',
	service: 'a.Service',
	method: 'Get',
	request: '{}',
	requests: '[]',
	schemaFrom: 'proto',
	requestsBy: 'one',
	requestBy: 'json',
	descriptorSet: 'AA==',
	requestFields: { mappingMode: 'defineBelow', value: { a: 1 } },
	protoFiles: { file: [{ name: 'a.proto', content: 'syntax = "proto3";' }] },
	options: { timeout: 200, maxRetries: 0 },
};

test.each(Object.keys(CALL))('%s is plain data before it is read', async (name) => {
	const loot = new StolenValues();
	const outcome = await runNode({
		node: new Grpc(),
		parameters: { ...CALL, [name]: '={{ $json.hostile }}' },
		credentials: {
			chainNodeXTokenApi: { endpoint: '127.0.0.1:9', xToken: TOKEN, tls: false },
		},
		credentialTypes,
		items: Object.values(buildHostileForms(CALL[name], loot)).map((hostile) => ({
			json: { hostile } as never,
		})),
		onError: 'continueRegularOutput',
	}).catch((error: unknown) => error);
	expect(loot.functions).toEqual([]);
	expect(inspectAll([loot.collected, outcome])).not.toContain(TOKEN);
});
