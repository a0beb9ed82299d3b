import { activate, type ActiveTrigger } from '../../test/harness/trigger.mts';
import { until } from '../../test/harness/until.mts';
import { startGrpcSandbox, type GrpcSandbox } from './support/grpcSandbox.mts';
import { triggerAt } from './support/triggerScene.mts';

let sandbox: GrpcSandbox;
let trigger: ActiveTrigger;

beforeAll(async () => {
	sandbox = await startGrpcSandbox();
});
afterAll(async () => await sandbox.stop());
afterEach(async () => {
	await trigger.close();
	await sandbox.reset();
});

const listen = async (method: string, requests: string, timing: object = {}) => {
	trigger = await activate(
		triggerAt(String(sandbox.plain.endpoint), {
			credential: { xToken: sandbox.xToken },
			parameters: { service: 'chain.v1.ChainService', method, requests },
			timing,
		}),
	);
};

const blocks = async (timing?: object) =>
	await listen('StreamBlocks', '[{ "from": 1, "intervalMs": 20 }]', timing);

const streams = async () =>
	(await sandbox.seen()).calls.filter(({ method }) => method.endsWith('StreamBlocks')).length;

test('a connection that is reset is made again, and the request is sent again', async () => {
	await blocks();
	await trigger.has(3);
	await sandbox.control('POST', '/grpc/drop');
	await until(async () => (await streams()) === 2);
	const before = trigger.items().length;
	await trigger.has(before + 3);
	expect(trigger.items().filter(({ number }) => number === '1')).toHaveLength(2);
	expect(trigger.failures).toEqual([]);
});

test('a connection that went silent is noticed', async () => {
	await blocks({ silence: 300, describing: 1000 });
	await trigger.has(1);
	await sandbox.set({ silent: true });
	const { connections } = await sandbox.seen();
	await until(async () => (await sandbox.seen()).connections > connections);
	await sandbox.set({ silent: false });
	await until(async () => (await streams()) === 2);
	const before = trigger.items().length;
	await trigger.has(before + 1);
});

test('an idle stream is left open', async () => {
	await listen('Watch', '[{ "number": 1 }]', { silence: 2000 });
	await trigger.has(1);
	await new Promise((resolve) => setTimeout(resolve, 5000));
	const { calls, connections } = await sandbox.seen();
	expect(calls.filter(({ method }) => method.endsWith('Watch'))).toHaveLength(1);
	expect(connections).toBeGreaterThan(0);
	expect(trigger.items()).toHaveLength(1);
});

test('its end leaves no connection', async () => {
	await blocks();
	await trigger.has(1);
	await trigger.close();
	await until(async () => (await sandbox.seen()).openConnections === 0);
});
