import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { errorOf, line, node, resultOf, run, TESTED, type Parameters } from './workflows.mts';
import { credential, demo, secrets } from './world.mts';

const SERVICE = 'chain.v1.ChainService';

interface Saved {
	id: string;
	name: string;
}

/** The gRPC node, with the demo's credential unless there is another. */
function grpc(parameters: Parameters, saved: Saved = credential('chainNodeXTokenApi')) {
	const credentials = { chainNodeXTokenApi: saved };
	return node(TESTED, 'n8n-nodes-chain-infra-grpc.grpc', parameters, { credentials });
}

function call(service: string, method: string, request: object, options: object = {}) {
	return grpc({ operation: 'call', service, method, request: JSON.stringify(request), options });
}

describe('Chain gRPC over TLS', () => {
	it('lists the services', async () => {
		const items = await resultOf(line(grpc({ operation: 'listServices' })));
		assert.ok(items.some(({ service }) => service === SERVICE));
	});

	it('describes a service', async () => {
		const items = await resultOf(line(grpc({ operation: 'describe', service: SERVICE })));
		const kinds = items.map(({ method, kind }) => [method, kind]);
		assert.deepEqual(Object.fromEntries(kinds), {
			GetBlock: 'unary',
			StreamBlocks: 'serverStreaming',
			CountBlocks: 'clientStreaming',
			Watch: 'bidirectional',
		});
	});

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
		it(`${name} is told in a sentence, without the token`, async () => {
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
