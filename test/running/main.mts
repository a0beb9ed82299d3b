// This script makes a running n8n, such as one in a container, run a node of each package.
// Its command is `npm run test:running -- http://127.0.0.1:5678`.
import assert from 'node:assert/strict';
import { waitForExecution } from '../../demo/examples/run.mts';
import { createN8nApi, type WorkflowNode } from '../../demo/run/api.mts';
import { packages } from '../../demo/install/packages.mjs';

const LOGIN = { email: 'running@example.com', password: 'Running-Owner-1' };

const [url = 'http://127.0.0.1:5678'] = process.argv.slice(2);
const api = createN8nApi(url);
await api.logIn(LOGIN);

const types = (await api.types<{ name: string }>('nodes')).map(({ name }) => name);
const names = packages.flatMap(({ manifest }) =>
	(manifest.n8n.nodes as string[]).map((path) => {
		const [, , node = ''] = path.split('/');
		return `${manifest.name}.${node.charAt(0).toLowerCase()}${node.slice(1)}`;
	}),
);
assert.deepEqual(
	names.filter((name) => !types.includes(name)),
	[],
	'n8n has not loaded these nodes',
);

const { status, data } = await run({
	name: 'Converted',
	type: 'n8n-nodes-chain-infra.utilities',
	parameters: { resource: 'amount', operation: 'convert', amount: '1.5', from: 'ether', to: 'wei' },
});
assert.equal(status, 'success', JSON.stringify(data.resultData.error));
const [item] = data.resultData.runData.Converted?.[0]?.data?.main?.[0] ?? [];
assert.deepEqual(item?.json, { amount: '1500000000000000000' });
console.log(`n8n at ${url} has all ${names.length} nodes, and ran a workflow with one of them.`);

async function run(node: WorkflowNode) {
	const place = (one: WorkflowNode) => ({ id: one.name, typeVersion: 1, position: [0, 0], ...one });
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const id = await api.createWorkflow({
		name: 'Running',
		nodes: [start, node].map(place),
		connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	return await waitForExecution(api, await api.runWorkflow(id, 'Start'));
}
