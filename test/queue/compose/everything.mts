import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForExecution } from '../../../demo/examples/run.mts';
import { createN8nApi, type Api } from '../../../demo/run/api.mts';
import { stopPrograms } from '../../../tools/processes.mjs';
import { findParser, read, SECRETS, type Services } from './file.mts';
import { filesIn, startStack, type Stack } from './stack.mts';

const parser = findParser() ?? [];
const LOGIN = { email: 'compose@example.com', password: 'Compose-Owner-1' };
const SINGLE = 'compose.single.yaml';
const STARTED = /Worker started execution (\d+)/;

describe('compose.yaml', () => {
	it('is refused without a key and without a password, in its own words', () => {
		const { N8N_ENCRYPTION_KEY } = SECRETS;
		assert.match(JSON.stringify(read(parser, {})), /any long text that stays the same/);
		assert.match(JSON.stringify(read(parser, { N8N_ENCRYPTION_KEY })), /any text without blanks/);
	});

	it('is four parts, of which only the editor is open, and only to this machine', () => {
		const services = servicesOf();
		assert.deepEqual(Object.keys(services).sort(), ['main', 'postgres', 'redis', 'worker']);
		const ports = Object.values(services).flatMap((one) => one.ports ?? []);
		assert.equal(ports.length, 1);
		assert.match(JSON.stringify(ports), /127\.0\.0\.1.*5678/);
	});
});

describe('compose.single.yaml', () => {
	const { N8N_ENCRYPTION_KEY } = SECRETS;

	it('is one n8n, open only to this machine, that takes packages which n8n has not verified', () => {
		const found = read(parser, { N8N_ENCRYPTION_KEY }, SINGLE);
		if ('refused' in found) throw new Error(found.refused);
		assert.deepEqual(Object.keys(found.services), ['n8n']);
		const { ports, environment } = found.services.n8n!;
		assert.match(JSON.stringify(ports), /127\.0\.0\.1.*5678/);
		assert.equal(environment?.N8N_UNVERIFIED_PACKAGES_ENABLED, 'true');
	});

	it('is refused without a key', () => {
		assert.match(JSON.stringify(read(parser, {}, SINGLE)), /any long text that stays the same/);
	});

	it('builds the image that N8N_IMAGE names', () => {
		const found = read(parser, { N8N_ENCRYPTION_KEY, N8N_IMAGE: 'registry.example/n8n:3' }, SINGLE);
		assert.match(JSON.stringify(found), /registry\.example\/n8n:3/);
	});
});

describe('its parts, as processes', () => {
	let stack: Stack;
	let api: Api;
	const node = createServer((_, answer) => {
		answer.setHeader('content-type', 'application/json');
		answer.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x7a69' }));
	});

	before(
		async () => {
			node.listen(0, '127.0.0.1');
			stack = await startStack(servicesOf());
			api = createN8nApi(stack.url);
			await api.logIn(LOGIN);
		},
		{ timeout: 600_000 },
	);
	after(async () => {
		node.close();
		await stack?.stop();
		await stopPrograms();
	});

	it('start when those are healthy that they wait for', () => {
		assert.deepEqual(stack.order.slice(0, 2).sort(), ['postgres', 'redis']);
		assert.deepEqual(stack.order.slice(2), ['main', 'worker', 'worker']);
	});

	it('run an execution on a worker, whose file lies where all have it', async () => {
		const nodeUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
		const id = await api.saveCredential('Node', 'chainNodeTokenApi', {
			nodeUrl,
			authToken: 'none-here',
		});
		const started = await api.runWorkflow(await api.createWorkflow(workflow(id)), 'Start');
		const { status, data } = await waitForExecution(api, started);
		assert.equal(status, 'success', JSON.stringify(data.resultData.error));
		const [item] = data.resultData.runData.Chain?.[0]?.data?.main?.[0] ?? [];
		assert.deepEqual(item?.json, { result: '0x7a69' });
		assert.equal(await workerOf(stack, started), true);
		assert.ok((await filesIn(stack.files)).length > 0);
	});
});

function servicesOf(): Services {
	const found = read(parser, SECRETS);
	if ('refused' in found) throw new Error(found.refused);
	return found.services;
}

/**
 * Returns whether a worker reports that it started the execution. The report may come after n8n has stored the end of
 * the execution.
 */
async function workerOf({ parts }: Stack, execution: string): Promise<boolean> {
	for (let attempt = 0; attempt < 100; attempt++, await sleep(100)) {
		const workers = [...parts].filter(([name]) => name.startsWith('worker'));
		const lines = workers.flatMap(([, part]) => part.output());
		if (lines.some((line) => STARTED.exec(line)?.[1] === execution)) return true;
	}
	return false;
}

function workflow(credential: string): object {
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const node = (name: string, type: string, more: object) => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	return {
		name: 'Compose',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node('Chain', 'n8n-nodes-chain-infra.evmRpc', {
				parameters: { resource: 'rpc', operation: 'request', method: 'eth_chainId' },
				credentials: { chainNodeTokenApi: { id: credential, name: 'Node' } },
			}),
			node('File', 'n8n-nodes-base.convertToFile', {
				typeVersion: 1.1,
				parameters: { operation: 'toJson' },
			}),
		],
		connections: { Start: to('Chain'), Chain: to('File') },
		settings: { executionOrder: 'v1' },
	};
}
