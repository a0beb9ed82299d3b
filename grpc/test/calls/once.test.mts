import { Metadata, status } from '@grpc/grpc-js';
import { run } from '../../../nodes/core/run';
import { runNode } from '../../../test/harness/engine.mts';
import { grpc, grpcClient } from '../../nodes/Grpc/client';
import { call } from '../../nodes/Grpc/call';
import { Grpc } from '../../nodes/Grpc/Grpc.node';
import { FILES } from '../support/oddFiles.mts';
import { startOddServer } from '../support/oddServer.mts';
import { credentialTypes } from '../support/grpcSandbox.mts';

let server: Awaited<ReturnType<typeof startOddServer>>;
let calls = 0;
let answers: Array<object | undefined> = [];

beforeAll(async () => {
	const echo = (request: Buffer) => {
		calls++;
		const refusal = answers.shift();
		if (refusal) throw refusal;
		return request;
	};
	server = await startOddServer(FILES, {
		'/odd.v1.OddService/Echo': echo,
		'/odd.v1.OddService/SendIt': echo,
	});
});
afterAll(() => server.stop());
beforeEach(() => {
	calls = 0;
	answers = [];
});

function refusal(code: status, pushback?: string) {
	const metadata = new Metadata();
	if (pushback) metadata.set('grpc-retry-pushback-ms', pushback);
	return { code, details: 'not now', metadata };
}

const { description } = new Grpc();

/** The node as it is, which calls a method that sends by its name; and an operation that says `once` itself. */
const sending = {
	'what a method sends': [new Grpc(), 'SendIt'],
	'what an operation sends': [
		{
			description,
			execute: async function () {
				const spend = grpc({ ...call, once: true });
				const menu = { money: { name: 'Money', operations: { call: spend } } };
				return await run(this, menu, grpcClient);
			},
		},
		'Echo',
	],
} as const satisfies Record<string, [Parameters<typeof runNode>[0]['node'], string]>;

describe.each(Object.entries(sending))('%s', (_, [node, method]) => {
	const send = async (count = 1) => {
		const { error } = await runNode({
			node,
			parameters: {
				...{ operation: 'call', service: 'odd.v1.OddService', method },
				request: '{ "snakeCaseName": "a" }',
				options: { concurrency: 1 },
			},
			credentials: {
				chainNodeXTokenApi: { endpoint: server.endpoint, xToken: 'token-0123', tls: false },
			},
			credentialTypes,
			items: Array.from({ length: count }, () => ({ json: {} })),
		});
		return error;
	};

	test('is sent again when a limit says when to come back: then it has not been carried out', async () => {
		answers = [refusal(status.RESOURCE_EXHAUSTED, '1')];
		expect(await send()).toBeUndefined();
		expect(calls).toBe(2);
	});

	test('is not sent again when the limit does not say when', async () => {
		answers = [refusal(status.RESOURCE_EXHAUSTED)];
		expect((await send())?.message).toBe('not now');
		expect(calls).toBe(1);
	});

	test('is not sent again when nobody knows what became of it, which is said once', async () => {
		answers = [refusal(status.UNAVAILABLE, '1')];
		expect((await send())?.description?.split('may still have been carried out')).toHaveLength(2);
		expect(calls).toBe(1);
	});

	test('is named when another item stops the run', async () => {
		answers = [undefined, refusal(status.INVALID_ARGUMENT)];
		expect((await send(3))?.description).toContain('Carried out: item 0');
	});
});
