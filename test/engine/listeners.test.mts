import { runInThisContext } from 'node:vm';
import type { INodeType } from 'n8n-workflow';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode } from '../harness/engine.mts';
import { createTestServer, sendJson } from '../harness/server.mts';

/** These tests check that no signal has more than ten listeners. Node.js would warn of a leak in n8n's log. */

const MOST = 40;

/** The real process object: jest gives tests a copy, which receives no warnings. */
const realProcess = runInThisContext('process') as NodeJS.Process;
const warnings: Error[] = [];
const hear = (warning: Error) => warnings.push(warning);

let goOn = () => {};
const all = new Promise<void>((resolve) => (goOn = resolve));
const server = createTestServer(async (_received, response) => {
	if (server.received.length === MOST) goOn();
	await all;
	sendJson(response, 200, { id: 'RG-1', name: 'A', url: 'https://example.com/' });
});

beforeAll(() => void realProcess.on('warning', hear));
afterAll(() => void realProcess.off('warning', hear));

test.each<[string, INodeType, object]>([
	['reads', new Platform(), { resource: 'organization', operation: 'get' }],
	[
		'requests that spend',
		new Faucet(),
		{
			operation: 'request',
			chain: 'sepolia',
			address: '={{ "0x" + String($json.item).padStart(40, "0") }}',
		},
	],
])('many %s at the same time are no leak', async (_, node, parameters) => {
	const { items } = await runNode({
		node,
		parameters: { ...parameters, options: { concurrency: MOST } },
		credentials: server.credentials.platform,
		items: Array.from({ length: MOST }, (_item, item) => ({ json: { item } })),
	});
	expect(items).toHaveLength(MOST);
	expect(server.received).toHaveLength(MOST);
	// Node.js emits a warning only after a turn of the event loop.
	await new Promise(setImmediate);
	expect(warnings).toEqual([]);
});
