import type { INodeParameters, INodeExecutionData } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../harness/engine.mts';
import { answerCalls, createTestServer, sendJson, startServer } from '../harness/server.mts';

/** These tests check where a chain has its JSON-RPC: at the node's URL, at /evm, or at another path. */

/** The path that has the API, and the HTTP status of the answer at any other path. */
let home: string;
let elsewhere: number;

const server = createTestServer((received, response) => {
	if (received.path !== home) return sendJson(response, elsewhere, { error: 'Not here.' });
	answerCalls(received, response, ({ method }) => ({
		result: method === 'eth_getBlockByNumber' ? { number: '0x1' } : '0x1',
	}));
});
beforeEach(() => (elsewhere = 404));

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, block) => ({ json: { block } }));
const block = { resource: 'block', operation: 'get', block: '={{ $json.block }}' };
const raw = { resource: 'rpc', operation: 'request', method: 'eth_sendRawTransaction' };
const seen = () => server.received.map(({ path }) => path);

async function evm(parameters: INodeParameters, count = 1) {
	return await runNode({
		node: new EvmRpc(),
		parameters,
		credentials: server.credentials.token,
		items: items(count),
	});
}

test.each([
	['', 404],
	['', 405],
	['/evm', 404],
	['/evm', 405],
])('a chain at "%s" is found, where the other place answers %p', async (at, status) => {
	home = at;
	elsewhere = status;
	for (const parameters of [block, { ...raw, params: '["0x00"]' }]) {
		server.received.splice(0);
		const result = await evm(parameters, 3);
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(3);
		expect(seen().filter((path) => path !== home).length).toBeLessThanOrEqual(1);
	}
});

test('what was found is kept for the rest of the run, and so is the credential', async () => {
	home = '';
	const { items: found, decryptions } = await evm({ ...block, options: { concurrency: 1 } }, 300);
	expect(found).toHaveLength(300);
	expect(decryptions).toBe(1);
	expect(seen()).toEqual(['/evm', '', '', '']);
});

test('where neither is, both are tried once, and the error names the field', async () => {
	home = '/ext/bc/C/rpc';
	const { error } = await evm({ ...block, options: { concurrency: 1 } }, 300);
	expect(error?.message).toBe('Not here.');
	expect(error?.description).toMatch(/Nothing answers at \/evm or at \/: set 'Path' to where/);
	expect(seen()).toEqual(['/evm', '']);
});

test.each(['/', '/evm'])('one documented path stands in for the other: %s', async (given) => {
	for (const at of ['', '/evm']) {
		home = at;
		server.received.splice(0);
		expect((await evm({ ...block, path: given })).error).toBeUndefined();
		expect(seen()).toEqual([...new Set([given.replace(/\/$/, ''), at])]);
	}
});

test('a node without a token is asked at its address alone', async () => {
	home = '/';
	const { nodeUrl = '' } = server.credentials.token.chainNodeTokenApi ?? {};
	const result = await runNode({
		node: new EvmRpc(),
		parameters: { resource: 'account', operation: 'getBalance', address: '0x' + '1'.repeat(40) },
		credentials: { chainNodeTokenApi: { authToken: nodeUrl } },
	});
	expect(result.error).toBeUndefined();
	expect(seen()).toEqual(['/']);
});

test('a path of the user is used as it is, and its 404 names the field', async () => {
	home = '/evm';
	const { error } = await evm({ ...block, path: '/rpc' });
	expect(error?.description).toMatch(/Nothing answers at \/rpc: set 'Path' to where/);
	expect(seen()).toEqual(['/rpc']);
	home = '/ext/bc/C/rpc';
	expect((await evm({ ...block, path: home })).error).toBeUndefined();
});

test('an error of JSON-RPC is an answer, whatever its status', async () => {
	home = '/nowhere';
	const failing = await startServer((received, response) =>
		sendJson(response, 404, {
			jsonrpc: '2.0',
			id: (received.json as { id: number }).id,
			error: { code: -32601, message: 'the method does not exist' },
		}),
	);
	const { error } = await runNode({
		node: new EvmRpc(),
		parameters: block,
		credentials: failing.credentials.token,
		items: items(1),
	});
	expect(error?.message).toBe('the method does not exist');
	expect(failing.received).toHaveLength(1);
	await failing.stop();
});
