import type { ServerResponse } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import {
	answerCalls,
	getCalls,
	sendJson,
	createTestServer,
	type ReceivedRequest,
} from '../harness/server.mts';

/**
 * These tests check requests that must not be sent twice: requests that spend, store or send something, and requests
 * that may do so.
 */

let handle: (received: ReceivedRequest, response: ServerResponse) => void;
let mostUnderWay = 0;

const server = createTestServer(async (received, response) => {
	mostUnderWay = Math.max(mostUnderWay, server.open());
	await new Promise((resolve) => setTimeout(resolve, 2));
	handle(received, response);
});
beforeEach(() => {
	mostUnderWay = 0;
	handle = echo;
});

/** Answers a request with its own parameters. */
const echo = (received: ReceivedRequest, response: ServerResponse) =>
	answerCalls(received, response, ({ params }) => ({ result: params }));

const limited = { code: -32005, message: 'Slow down.', data: { try_again_in: '20ms' } };
const items = (count: number) => Array.from({ length: count }, (_, id) => ({ json: { id } }));
const sent = () => server.received.flatMap(getCalls).map(({ params }) => params);
const answers = (count: number) => Array.from({ length: count }, (_, id) => [id]);

async function request(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'rpc',
			operation: 'request',
			params: '={{ [$json.id] }}',
			...parameters,
		},
		credentials: server.credentials.token,
		items: items(1),
		...more,
	});
}

const raw = { method: 'eth_sendRawTransaction' };

describe('transactions', () => {
	test('go one at a time, in the order of the items', async () => {
		const { items: found } = await request(raw, { items: items(60) });
		expect(found.map(({ json }) => json.result)).toEqual(answers(60));
		expect(sent()).toEqual(answers(60));
		expect(mostUnderWay).toBe(1);
	});

	test('keep their order beside reads, which do not wait for them', async () => {
		const method = '={{ $json.id % 3 ? "eth_getBalance" : "eth_sendRawTransaction" }}';
		const { items: found } = await request({ method }, { items: items(60) });
		expect(found.map(({ json }) => json.result)).toEqual(answers(60));
		const calls = server.received.flatMap(getCalls);
		const transactions = calls.filter(({ method: name }) => name === raw.method);
		expect(transactions.map(({ params }) => params[0])).toEqual(
			Array.from({ length: 20 }, (_, index) => index * 3),
		);
		expect(calls).toHaveLength(60);
	});

	test('that a limit turned away wait until it says, and none is lost or out of order', async () => {
		let count = 0;
		handle = (received, response) =>
			answerCalls(received, response, ({ params }) =>
				count++ % 3 === 2 ? { error: limited } : { result: params },
			);
		const { items: found } = await request(raw, { items: items(30) });
		expect(found.map(({ json }) => json.result)).toEqual(answers(30));
		const seen = sent().filter((one, index, all) => one[0] !== all[index - 1]?.[0]);
		expect(seen).toEqual(answers(30));
	});

	test('are not sent after one has failed, and the failure names those that were', async () => {
		handle = (received, response) =>
			answerCalls(received, response, ({ params: [id] }) =>
				id === 3 ? { error: { code: -32000, message: 'nonce too low' } } : { result: `0xab${id}` },
			);
		const { error } = await request(raw, { items: items(10) });
		expect(error?.message).toBe('nonce too low');
		expect(error?.description).toBe(
			'eth_sendRawTransaction failed with code -32000. Carried out: item 0 (0xab0), item 1 (0xab1), item 2 (0xab2).',
		);
		expect(error?.context.itemIndex).toBe(3);
		expect(sent()).toEqual(answers(4));
	});
});

test('a method that is not known to read is sent again, and in batches, when the user says that it may be', async () => {
	handle = (received, response) =>
		server.received.length === 1 ? sendJson(response, 504, {}) : echo(received, response);
	const { items: found } = await request(
		{ method: 'evm_unknown', options: { safeToRepeat: true } },
		{ items: items(40) },
	);
	expect(found.map(({ json }) => json.result)).toEqual(answers(40));
	expect(server.received).toHaveLength(2);
});

test('parameters by name are sent as they are', async () => {
	await request({ method: 'query', params: '{"request_type":"view_account"}' });
	expect(server.received[0]?.json).toEqual({
		jsonrpc: '2.0',
		method: 'query',
		params: { request_type: 'view_account' },
		id: 1,
	});
});

test('a faucet that stops in the middle names what it has paid, and what nobody knows', async () => {
	const hash = (id: string) => `0x${id.repeat(64)}`;
	handle = (received, response) => {
		const [, digit = ''] = /0{39}(\d)/.exec(received.text) ?? [];
		if (digit === '2') setTimeout(() => sendJson(response, 403, { error: 'Not you.' }), 50);
		else if (digit === '3') response.destroy();
		else sendJson(response, 200, { url: `https://example.com/tx/${hash(digit)}` });
	};
	const { error } = await runNode({
		node: new Faucet(),
		parameters: {
			operation: 'request',
			chain: 'sepolia',
			address: `={{ "0x${'0'.repeat(39)}" + $json.id }}`,
		},
		credentials: server.credentials.platform,
		items: items(4),
	});
	expect(error?.message).toBe('Not you.');
	expect(error?.description).toContain(
		`Carried out: item 0 (${hash('0')}), item 1 (${hash('1')}). Outcome unknown: item 3.`,
	);
});
