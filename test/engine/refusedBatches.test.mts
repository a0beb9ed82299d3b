import type { ServerResponse } from 'node:http';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../harness/engine.mts';
import {
	answerCalls,
	getCalls,
	sendJson,
	startServer,
	type ReceivedRequest,
	type TestServer,
} from '../harness/server.mts';

/** A gateway refuses a whole batch because of one call: the others must not fail for it. */

const ITEMS = 100;

let server: TestServer;
let handle: (received: ReceivedRequest, response: ServerResponse) => void;

beforeAll(async () => {
	server = await startServer((received, response) => handle(received, response));
});
afterAll(async () => await server.stop());
beforeEach(() => server.received.splice(0));

/** Refuses requests that contain a call with this item's number, and answers every other call with its number. */
function refuse(received: ReceivedRequest, response: ServerResponse, item: number, status: number) {
	const isRefused = getCalls(received).some(({ params: [asked] }) => asked === item);
	if (isRefused) sendJson(response, status, { message: 'Not this one.' });
	else answerCalls(received, response, ({ params: [asked] }) => ({ result: asked }));
}

const allBut = (bad: number) =>
	Array.from({ length: ITEMS }, (_, item) => (item === bad ? 'Not this one.' : item));

async function read() {
	const { items } = await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'rpc',
			operation: 'request',
			method: 'eth_getCode',
			params: '={{ [$json.item] }}',
		},
		credentials: server.credentials.token ?? {},
		items: Array.from({ length: ITEMS }, (_, item) => ({ json: { item } })),
		onError: 'continueRegularOutput',
	});
	return items.map(({ json }) => json.result ?? json.error);
}

test.each([400, 406, 408, 409, 410, 411, 412, 414, 422, 424, 425, 428, 431])(
	'a %i for one call fails that call alone',
	async (status) => {
		handle = (received, response) => refuse(received, response, 57, status);
		expect(await read()).toEqual(allBut(57));
		expect(server.received.length).toBeLessThanOrEqual(60);
	},
);

test.each([402, 403, 405, 415, 451])(
	'a %i for one call fails no other, and does not end batches',
	async (status) => {
		for (const bad of [0, 57]) {
			server.received.splice(0);
			handle = (received, response) => refuse(received, response, bad, status);
			expect(await read()).toEqual(allBut(bad));
			expect(server.received.length).toBeLessThanOrEqual(60);
		}
	},
);

test.each([402, 403, 405, 415, 451])('a %i for every call costs few requests', async (status) => {
	handle = (_received, response) => sendJson(response, status, { message: 'Never.' });
	expect(await read()).toEqual(Array(ITEMS).fill('Never.'));
	// After a 405 the other path is tried, too.
	expect(server.received.length).toBeLessThanOrEqual(4);
});
