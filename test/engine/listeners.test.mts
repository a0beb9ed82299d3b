import { getEventListeners } from 'node:events';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode } from '../harness/engine.mts';
import { sendJson, serve, type Server } from '../harness/server.mts';

/** Node's older versions warn of a leak when more than ten listen to one signal. */

const MOST = 40;

let server: Server;
let arrived = 0;
let goOn: () => void;
let most = 0;

/** What may listen to an AbortSignal is counted where it begins to. */
beforeAll(async () => {
	const listen = AbortSignal.prototype.addEventListener;
	jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
		this: AbortSignal,
		...given: Parameters<typeof listen>
	) {
		listen.apply(this, given);
		most = Math.max(most, getEventListeners(this, 'abort').length);
	});
	const all = new Promise<void>((resolve) => (goOn = resolve));
	server = await serve(async (_received, response) => {
		if (++arrived === MOST) goOn();
		await all;
		sendJson(response, 200, { id: 'RG-1', name: 'A', url: 'https://example.com/' });
	});
});
afterAll(async () => {
	jest.restoreAllMocks();
	await server.stop();
});
beforeEach(() => (arrived = most = 0));

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
])('many %s at the same time listen to few signals each', async (_, node, parameters) => {
	const { execute } = node;
	let signal: AbortSignal | undefined;
	node.execute = async function (this: IExecuteFunctions) {
		signal = this.getExecutionCancelSignal();
		return (await execute?.call(this)) ?? null;
	};
	const { items } = await runNode({
		node,
		parameters: { ...parameters, options: { concurrency: MOST } },
		credentials: server.credentials.platform ?? {},
		items: Array.from({ length: MOST }, (_item, item) => ({ json: { item } })),
	});
	expect(items).toHaveLength(MOST);
	expect(most).toBeGreaterThan(0);
	expect(most).toBeLessThanOrEqual(10);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toEqual([]);
});
