import { status } from '@grpc/grpc-js';
import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';
import { refusal, refusingScene } from '../support/refusingScene.mts';

describe('a service that limits calls per second', () => {
	const sandbox = createGrpcSandbox();

	const limit = async (settings: object) =>
		await sandbox.control('PUT', '/limits', { room: 'grpc', ...settings });

	async function blocks(count: number, stopAfter?: number, options = {}) {
		const items = Array.from({ length: count }, (_, number) => ({ json: { number } }));
		const parameters = { ...callOf('ChainService', 'GetBlock'), request: '={{ $json }}', options };
		const begun = Date.now();
		const result = await sandbox.run(parameters, {
			items,
			stopAfter,
			// The test uses no TLS: the library was loaded before the certificate existed, so it does not trust the certificate.
			credential: sandbox.plain,
		});
		return { ...result, seconds: (Date.now() - begun) / 1000 };
	}

	test.each([
		['says when to come back', true],
		['does not say when to come back', false],
	])('and %s answers every one of 60 items', async (_, retryAfter) => {
		await limit({ callsPerSecond: 25, retryAfter });
		const { items, seconds } = await blocks(60);
		expect(items.map(({ json }) => Number(json.number))).toEqual([...Array(60).keys()]);
		// The first 25 calls are sent at once, and the others at the rate of the limit.
		expect(seconds).toBeGreaterThan(1.3);
	});

	test('is asked no faster than the option Max Calls per Second allows', async () => {
		const { items, seconds } = await blocks(5, undefined, { maxCallsPerSecond: 2 });
		expect(items.map(({ json }) => Number(json.number))).toEqual([0, 1, 2, 3, 4]);
		expect(seconds).toBeGreaterThanOrEqual(2);
	});

	test('counts what it is asked about its services, too', async () => {
		const options = { maxCallsPerSecond: 1 };
		const begun = Date.now();
		const items = [{ json: {} }, { json: {} }];
		const parameters = { operation: 'listServices', options };
		const { error } = await sandbox.run(parameters, { items, credential: sandbox.plain });
		expect(error).toBeUndefined();
		expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
	});

	test('the stop button ends the wait', async () => {
		await limit({ callsPerSecond: 1 });
		const { status: ending, seconds } = await blocks(50, 1000);
		expect(ending).toBe('canceled');
		expect(seconds).toBeLessThan(25);
	});

	test('a monthly quota fails at once and says so', async () => {
		await limit({ quota: 'monthly' });
		const { error } = await blocks(5);
		expect(error?.message).toBe("You've reached your monthly quota");
		expect(error?.description).toContain('RESOURCE_EXHAUSTED');
		const { calls } = await sandbox.seen();
		expect(new Set(calls.map(({ method }) => method)).size).toBe(1);
	});
});

describe('a service that turns calls away', () => {
	const { calls, refusing, run: call } = refusingScene();
	const run = async () => {
		const begun = Date.now();
		return { ...(await call('Echo')), time: Date.now() - begun };
	};

	test.each([
		['grpc-retry-pushback-ms', '700'],
		['retry-after', '0.7'],
	])('is asked again when %s says so', async (name, value) => {
		refusing(refusal('slow down', { [name]: value }));
		const { json, time } = await run();
		expect(json).toEqual([{ snakeCaseName: 'a' }]);
		expect(time).toBeGreaterThanOrEqual(699);
		expect(calls()).toBe(2);
	});

	test('with details that cannot be understood is asked again after a while', async () => {
		refusing(refusal('slow down', { 'grpc-status-details-bin': Buffer.from('ffffff', 'hex') }));
		expect((await run()).json).toHaveLength(1);
	});

	test.each<[string, object]>([
		['never to come back', refusal('no', { 'grpc-retry-pushback-ms': '-1' })],
		['to come back in an hour', refusal('no', { 'retry-after': '3600' })],
		['that the request is too large', refusal('received message larger than max (9 vs. 4)')],
		['nothing of a limit', refusal('no', { 'grpc-retry-pushback-ms': '1' }, status.UNAVAILABLE)],
	])('is not asked again when it says %s', async (_, reported) => {
		refusing(reported);
		expect((await run()).message).toBe((reported as { details: string }).details);
		expect(calls()).toBe(1);
	});
});
