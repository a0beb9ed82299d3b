import { activateTrigger, type ActiveTrigger } from '../../../test/harness/trigger.mts';
import { waitUntil } from '../../../test/harness/until.mts';
import type { GrpcTriggerTiming } from '../../nodes/GrpcTrigger/start';
import { createGrpcSandbox } from '../support/grpcSandbox.mts';
import { framed, startRawServer } from '../support/rawServer.mts';
import { numbered, triggerAt } from '../support/triggerScene.mts';

const sandbox = createGrpcSandbox();
let trigger: ActiveTrigger;

afterEach(async () => {
	await trigger.close();
	await sandbox.reset();
});

async function blocks(timing: Partial<GrpcTriggerTiming> = {}): Promise<void> {
	const parameters = {
		service: 'chain.v1.ChainService',
		method: 'StreamBlocks',
		requests: '[{ "from": 1, "intervalMs": 20 }]',
	};
	trigger = await activateTrigger(
		triggerAt(String(sandbox.plain.endpoint), {
			credential: { xToken: sandbox.xToken },
			parameters,
			timing,
		}),
	);
}

const streams = async () =>
	(await sandbox.seen()).calls.filter(({ method }) => method.endsWith('StreamBlocks')).length;

test('a connection that is reset is made again, and the request is sent again', async () => {
	await blocks();
	await trigger.has(3);
	await sandbox.control('POST', '/grpc/drop');
	await waitUntil(async () => (await streams()) === 2);
	const { length } = trigger.items();
	await trigger.has(length + 3);
	expect(trigger.items().filter(({ number }) => number === '1')).toHaveLength(2);
	expect(trigger.failures).toEqual([]);
});

test('a connection that went silent is noticed', async () => {
	await blocks({ keepaliveTime: 300, keepaliveTimeout: 500, describeTimeoutMs: 3_000 });
	await trigger.has(1);
	const before = await streams();
	await sandbox.set({ silent: true });
	const { connections } = await sandbox.seen();
	await waitUntil(async () => (await sandbox.seen()).connections > connections);
	await sandbox.set({ silent: false });
	await waitUntil(async () => (await streams()) > before);
	const { length } = trigger.items();
	expect((await trigger.has(length + 1)).length).toBeGreaterThan(length);
});

test('an idle stream is left open as long as the service answers to pings', async () => {
	let streams = 0;
	const server = await startRawServer((stream) => {
		streams++;
		stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
		stream.write(framed(numbered(1)));
	});
	trigger = await activateTrigger(triggerAt(server.endpoint, { timing: { keepaliveTime: 100 } }));
	await trigger.has(1);
	await waitUntil(() => server.seen().pings > 5);
	expect(server.seen().connections).toBe(1);
	expect(streams).toBe(1);
	expect(trigger.items()).toHaveLength(1);
	server.stop();
});

test('its end leaves no connection', async () => {
	await blocks();
	await trigger.has(1);
	await trigger.close();
	await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
});
