import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForExecution } from '../../demo/examples/run.mts';
import { receivedAll } from './received.mts';
import {
	errorOf,
	line,
	node,
	outputs,
	resultOf,
	run,
	save,
	TESTED,
	type Parameters,
} from './workflows.mts';
import { control, credential, demo, secrets } from './world.mts';

const SERVICE = 'chain.v1.ChainService';

interface Saved {
	id: string;
	name: string;
}

/** Builds a gRPC node. It uses the demo's credential unless another is given. */
function grpc(parameters: Parameters, saved: Saved = credential('chainNodeXTokenApi')) {
	const credentials = { chainNodeXTokenApi: saved };
	return node(TESTED, 'n8n-nodes-chain-infra-grpc.grpc', parameters, { credentials });
}

function call(service: string, method: string, request: object, options: object = {}) {
	return grpc({ operation: 'call', service, method, request: JSON.stringify(request), options });
}

describe('Chain gRPC over TLS', () => {
	it('calls a method once for each item, and long integers keep their digits', async () => {
		const { nodes, connections } = line(
			grpc({
				operation: 'call',
				service: { __rl: true, mode: 'list', value: SERVICE },
				method: { __rl: true, mode: 'name', value: 'GetBlock' },
				request: '={{ JSON.stringify({ number: $json.number }) }}',
			}),
		);
		const items = ['9007199254740993', '18446744073709551615'].map((number) => ({ number }));
		const blocks = await resultOf({ nodes, connections, items });
		assert.deepEqual(
			blocks.map(({ number }) => ({ number })),
			items,
		);
	});

	it('makes a request of fields for each item', async () => {
		const value = { number: '={{ $json.number }}' };
		const { nodes, connections } = line(
			grpc({
				operation: 'call',
				service: SERVICE,
				method: 'GetBlock',
				requestBy: 'fields',
				requestFields: { mappingMode: 'defineBelow', value, schema: [] },
			}),
		);
		const items = ['9007199254740993', '7'].map((number) => ({ number }));
		const blocks = await resultOf({ nodes, connections, items });
		assert.deepEqual(
			blocks.map(({ number }) => ({ number })),
			items,
		);
	});

	it('takes as many messages of a stream as it may', async () => {
		const endless = { from: 7, count: 0 };
		const messages = await resultOf(
			line(call(SERVICE, 'StreamBlocks', endless, { maxMessages: 4 })),
		);
		assert.deepEqual(
			messages.map(({ number }) => number),
			['7', '8', '9', '10'],
		);
	});
});

describe('Chain gRPC with a schema of its own', () => {
	const content = `syntax = "proto3"; package chain.v1;
		message GetBlockRequest { uint64 number = 1; } message Block { uint64 number = 1; bytes hash = 2; }
		service ChainService { rpc Watch(stream GetBlockRequest) returns (stream Block); }`;
	const schema = { schemaFrom: 'proto', protoFiles: { file: [{ name: 'chain.proto', content }] } };

	it('sends a stream of requests, and gives bytes in hex', async () => {
		const requests = JSON.stringify([7, 8].map((number) => ({ number })));
		const parameters = { requestsBy: 'many', requests, options: { bytesAs: 'hex' }, ...schema };
		const watch = { operation: 'call', service: SERVICE, method: 'Watch' };
		const blocks = await resultOf(line(grpc({ ...watch, ...parameters })));
		assert.deepEqual(
			blocks.map(({ number, hash }) => [number, /^0x[\da-f]{64}$/.test(String(hash))]),
			[
				['7', true],
				['8', true],
			],
		);
	});

	it('lists what the schema has', async () => {
		const items = await resultOf(line(grpc({ operation: 'listServices', ...schema })));
		assert.deepEqual(items, [{ service: SERVICE }]);
	});
});

describe('Chain gRPC Trigger', () => {
	const parameters = {
		service: SERVICE,
		method: 'StreamBlocks',
		options: {},
		requests: '[{ "from": 1, "intervalMs": 50 }]',
	};
	const trigger = () => {
		const credentials = { chainNodeXTokenApi: credential('chainNodeXTokenApi') };
		return node(TESTED, 'n8n-nodes-chain-infra-grpc.grpcTrigger', parameters, { credentials });
	};
	const open = async () => {
		const { calls } = await control<{ calls: Array<{ method: string; code: number | null }> }>(
			'GET',
			'/grpc',
		);
		const streams = calls.filter(({ method }) => method.endsWith('StreamBlocks'));
		return streams.filter(({ code }) => code === null).length;
	};

	it('gives the messages of a stream, opens it again after a cut, and leaves it at the end', async () => {
		const before = await open();
		const id = await save({ nodes: [trigger()], connections: {} });
		await demo.api.activate(id);
		const first = await receivedAll(id, 10);
		assert.deepEqual(
			first.slice(0, 10).map(({ number }) => number),
			Array.from({ length: 10 }, (_, index) => String(index + 1)),
		);
		await control('POST', '/grpc/drop');
		const begun = (items: typeof first) => items.filter(({ number }) => number === '1').length;
		let all = first;
		// Messages that were sent before the connection was cut may still arrive, so the loop waits for the stream to
		// begin again.
		for (let look = 0; look < 20 && begun(all) < 2; look++) {
			all = await receivedAll(id, all.length + 1);
		}
		assert.equal(begun(all), 2);
		await demo.api.deactivate(id);
		while ((await open()) > before) await sleep(50);
	});

	it('gives one message to a manual execution', async () => {
		const id = await save({ nodes: [trigger()], connections: {} });
		const execution = await waitForExecution(demo.api, await demo.api.runWorkflow(id, TESTED));
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			outputs(execution)[0]?.map(({ json }) => json.number),
			['1'],
		);
	});
});

describe('what goes wrong over gRPC', () => {
	const made: string[] = [];
	after(async () => {
		for (const id of made) await demo.api.ask('DELETE', `/credentials/${id}`);
	});

	async function other(name: string, data: object): Promise<Saved> {
		const { grpcEndpoint: endpoint, xToken } = demo.sandbox;
		const whole = { endpoint, xToken, tls: true, ...data };
		const id = await demo.api.saveCredential(name, 'chainNodeXTokenApi', whole);
		made.push(id);
		return { id, name };
	}

	const list = { operation: 'listServices' };
	const cases: Record<string, [() => Promise<ReturnType<typeof grpc>>, RegExp]> = {
		'a wrong token': [
			async () => grpc(list, await other('Wrong X-Token', { xToken: 'wrong-token-0123' })),
			/invalid x-token/,
		],
		'a dead endpoint': [
			async () => grpc(list, await other('Dead Endpoint', { endpoint: 'localhost:1' })),
			/refused the connection/,
		],
		'an unknown method': [async () => call(SERVICE, 'GetNothing', {}), /GetNothing/],
		'a wrong field': [async () => call(SERVICE, 'GetBlock', { nummer: 1 }), /nummer/],
		'a service that is listed only': [
			async () => call('chain.v1.ArchiveService', 'GetBlock', {}),
			/ArchiveService|UNIMPLEMENTED|not/i,
		],
	};

	for (const [name, [tested, words]] of Object.entries(cases)) {
		it(`${name} is reported in a sentence, without the token`, async () => {
			const execution = await run(line(await tested()));
			assert.equal(execution.status, 'error');
			assert.match(errorOf(execution).message, words);
			const text = JSON.stringify(execution);
			for (const secret of [...secrets(), 'wrong-token-0123']) {
				assert.ok(!text.includes(secret));
			}
		});
	}
});
