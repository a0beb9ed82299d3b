import { callOf, createGrpcSandbox, waitUntil } from '../support/grpcSandbox.mts';
import { inTime } from '../support/inTime.mts';

const sandbox = createGrpcSandbox();

const endless = (intervalMs: number, options: { maxMessages?: number; timeout?: number }) =>
	callOf('ChainService', 'StreamBlocks', { from: 1, intervalMs }, options);

/** Returns the status codes with which calls ended at the service. The code 1 means cancelled. */
const endings = async () =>
	(await sandbox.seen()).calls
		.filter(({ method }) => !/reflection/.test(method))
		.map(({ code }) => code);

test('an endless stream is closed after Max Messages, and the service knows', async () => {
	const { items, hints } = await sandbox.run(endless(0, { maxMessages: 7 }));
	expect(hints).toEqual([expect.stringMatching(/^The stream was closed after 'Max Messages'/)]);
	expect(items.map(({ json }) => json.number)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
	await waitUntil(async () => (await endings())[0] === 1);
	await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
});

test('100 messages are the most by default', async () => {
	expect((await sandbox.run(endless(0, {}))).items).toHaveLength(100);
});

test('an endless stream is left when its time is over, and what arrived is kept', async () => {
	const { items, error } = await inTime(
		async (timeout) => await sandbox.run(endless(timeout / 20, { timeout })),
		(found) => found.items.length > 0,
	);
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(0);
	// If 100 messages had arrived, the option Max Messages could have ended the stream.
	expect(items.length).toBeLessThan(100);
});

test('a stream that ends early by itself gives what there was', async () => {
	const asked = callOf('ChainService', 'StreamBlocks', { from: 1, count: 2 }, { maxMessages: 50 });
	expect((await sandbox.run(asked)).items).toHaveLength(2);
	expect(await endings()).toEqual([0]);
});

test('a stream that breaks gives all that had arrived, and reports it', async () => {
	const { items, error } = await sandbox.run(callOf('TroubleService', 'Break', { after: 3 }));
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([
		...['1', '2', '3'].map((count) => ({ count })),
		{
			error: 'broke on purpose',
			message:
				'chain.v1.TroubleService/Break ended with INTERNAL (13), after 3 messages had arrived.',
		},
	]);
});

test('a stream that breaks before anything arrived fails', async () => {
	const { items, error } = await sandbox.run(callOf('TroubleService', 'Break', { after: 0 }));
	expect(items).toEqual([]);
	expect(error?.message).toBe('broke on purpose');
	expect(error?.description).toMatch(/INTERNAL \(13\)\..*may still have been carried out/);
});

test('a lost connection of a stream is reported in our own words', async () => {
	const running = sandbox.run(endless(100, { timeout: 20_000 }));
	await waitUntil(async () => (await sandbox.seen()).calls.length === 2);
	await sandbox.control('POST', '/grpc/drop');
	const { items, error } = await running;
	const { message, description } = error ?? {
		message: items.at(-1)?.json.error,
		description: String(items.at(-1)?.json.message),
	};
	expect(message).toBe('The connection to the service was lost before it answered');
	expect(description).toMatch(/UNAVAILABLE \(14\)/);
	expect(description).not.toMatch(/localhost|127\.0\.0\.1/);
});

test('a call whose connection is lost is not made again', async () => {
	const slow = callOf('TroubleService', 'Slow', { delayMs: 20_000 });
	const running = sandbox.run(slow);
	await waitUntil(async () => (await endings()).length === 1);
	await sandbox.control('POST', '/grpc/drop');
	expect((await running).error?.description).toMatch(/may still have been carried out/);
	expect(await endings()).toHaveLength(1);
	expect((await sandbox.seen()).connections).toBe(1);
});

test.each([
	['a stream', endless(100, { timeout: 600_000, maxMessages: 10_000 })],
	['a slow call', callOf('TroubleService', 'Slow', { delayMs: 600_000 }, { timeout: 600_000 })],
])('the stop button ends %s at once', async (_, parameters) => {
	const underWay = async () => await waitUntil(async () => (await endings()).length === 1);
	const { status, items } = await sandbox.run(parameters, { stopAfter: underWay });
	expect(status).toBe('canceled');
	expect(items).toEqual([]);
	await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
	expect(await endings()).toEqual([1]);
});
