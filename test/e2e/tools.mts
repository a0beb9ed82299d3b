import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitForExecution } from '../../demo/examples/run.mts';
import { isN8n1 } from '../../tools/paths.mjs';
import manifest from '../../package.json' with { type: 'json' };
import { fromModel, toolOf } from './agent/tool.mts';
import { nodesOf } from './manifest.mts';
import { line, node, outputs, save, START, TESTED, to, type Node } from './workflows.mts';
import { balanceOf, demo } from './world.mts';

interface NodeType {
	name: string;
	outputs: string[];
	properties: Array<{ name: string }>;
}

const AGENT = 'Agent';

/** Runs a tool with the input of a model, as "Execute step" on a tool does in the editor. */
async function useTool(tool: Node, given: object) {
	const agent = node(AGENT, '@n8n/n8n-nodes-langchain.agent', {}, { typeVersion: 2 });
	const wires = { [START]: to(AGENT), [TESTED]: { ai_tool: [[wire]] } };
	const id = await save({ nodes: line(agent, tool).nodes, connections: wires });
	const executionId = await demo.api.runWorkflow(id, START, {
		destinationNode: { nodeName: TESTED, mode: 'inclusive' },
		agentRequest: { query: { [TESTED]: given }, tool: { name: TESTED } },
	});
	const execution = await waitForExecution(demo.api, executionId);
	const [[answer] = []] = outputs(execution, 'PartialExecutionToolExecutor');
	return JSON.stringify(answer?.json ?? execution.data.resultData.error);
}

/** The reason to skip the tests in n8n 1, which takes the input of a single tool in another form. */
const skip = isN8n1 && 'n8n 1: see "called by an AI agent"';

const wire = { node: AGENT, type: 'ai_tool', index: 0 };
describe('as tools of an AI agent', () => {
	it('all nodes are offered, with all their fields', async () => {
		const types = await demo.api.types<NodeType>('nodes');
		const own = types.filter(({ name }) => name.startsWith('n8n-nodes-chain-infra.'));
		const nodes = own.filter(({ name }) => !/(Tool|Trigger)$/.test(name));
		const actions = nodesOf(manifest).filter((name) => !name.endsWith('Trigger'));
		assert.deepEqual(nodes.map(({ name }) => name).sort(), actions);
		for (const { name, properties } of nodes) {
			const tool = own.find((one) => one.name === `${name}Tool`);
			assert.deepEqual(tool?.outputs, ['ai_tool']);
			const offered = new Set(tool.properties.map((property) => property.name));
			for (const property of properties) assert.ok(offered.has(property.name), property.name);
		}
	});

	it('a balance is read for the address that the model gives', { skip }, async () => {
		const parameters = { resource: 'account', operation: 'getBalance' };
		const address = fromModel('address');
		const given = { address: demo.chain.payer };
		const answer = await useTool(toolOf('evmRpc', 'token', { ...parameters, address }), given);
		assert.ok(answer.includes(await balanceOf(demo.chain.payer)), answer);
	});

	it('the signer and what pays get the credentials of the signer', { skip }, async () => {
		const key = { resource: 'account', operation: 'get' };
		assert.match(await useTool(toolOf('signer', 'key', key), {}), /0x[0-9a-fA-F]{40}/);
		const payment = { operation: 'preview', to: fromModel('to'), amount: fromModel('amount') };
		const given = { to: demo.chain.payer, amount: '0.01' };
		assert.match(await useTool(toolOf('pay', 'payer', payment), given), /\\"allowed\\":true/);
	});

	it('a list comes back whole', async () => {
		const parameters = { resource: 'project', operation: 'getAll', limit: 3 };
		const answer = await useTool(toolOf('platform', 'platform', parameters), {});
		assert.equal(answer.match(/created_at/g)?.length, 3, answer);
	});

	it('a gRPC method is called with the request that the model gives', { skip }, async () => {
		const tool = toolOf('grpc', 'xToken', {
			operation: 'call',
			service: 'chain.v1.ChainService',
			method: 'GetBlock',
			request: fromModel('request'),
		});
		const answer = await useTool(tool, { request: '{ "number": 9007199254740993 }' });
		assert.match(answer, /9007199254740993/);
		assert.match(await useTool(tool, { request: '{ "nummer": 1 }' }), /nummer is not a field of/);
	});

	it('a gRPC request takes single fields that the model gives', { skip }, async () => {
		const value = { from: fromModel('from'), count: fromModel('count') };
		const tool = toolOf('grpc', 'xToken', {
			operation: 'call',
			service: 'chain.v1.ChainService',
			method: 'StreamBlocks',
			requestBy: 'fields',
			requestFields: { mappingMode: 'defineBelow', value, schema: [] },
		});
		const answer = await useTool(tool, { from: '9007199254740993', count: '2' });
		assert.match(answer, /9007199254740993.*9007199254740994/);
		assert.match(await useTool(tool, { from: 'far', count: '2' }), /from must be uint64/);
	});

	it('a mistake of the model is reported in our words', { skip }, async () => {
		const parameters = { operation: 'request', chain: 'sepolia', address: fromModel('address') };
		const answer = await useTool(toolOf('faucet', 'platform', parameters), { address: '0x12' });
		assert.match(answer, /'Address' must be/);
	});
});
