import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceError, status } from '@grpc/grpc-js';
import { type Sandbox, startSandbox } from '../harness/sandbox.mts';
import { waitUntil } from '../harness/until.mts';
import { all, failure, rawClient } from './support/grpcClient.mts';

interface Seen {
	calls: { method: string; metadata: Record<string, string>; code: number | null }[];
	connections: number;
	openConnections: number;
}

let sandbox: Sandbox;
let client: ReturnType<typeof rawClient>;
beforeAll(async () => {
	sandbox = await startSandbox({ grpc: true });
	client = rawClient(sandbox);
});
afterEach(async () => {
	await sandbox.reset();
});
afterAll(async () => {
	client.close();
	await sandbox.stop();
});

const seen = async () => (await sandbox.control('GET', '/grpc')) as Seen;
const set = async (settings: object) => await sandbox.control('PUT', '/grpc', settings);
const block = (number: string) => ({ number });

describe('access', () => {
	test.each(['', 'wrong'])('the token "%s" is refused, by reflection too', async (token) => {
		const stranger = rawClient(sandbox, { token });
		const calls = [
			stranger.call('chain.v1.ChainService/GetBlock', block('1')),
			stranger.reflect('v1', { list_services: '' }),
			stranger.call('chain.v1.ArchiveService/GetBlock', block('1')),
		];
		for (const call of calls) {
			const { code, details } = await failure(call);
			expect([code, details]).toEqual([status.UNAUTHENTICATED, 'invalid x-token']);
		}
		stranger.close();
	});

	test('TLS is trusted with the printed certificate, and only with it', async () => {
		const known = rawClient(sandbox, { tls: true, root: sandbox.grpcCertificate! });
		await known.call('chain.v1.ChainService/GetBlock', block('1'));
		known.close();
		const unknown = rawClient(sandbox, { tls: true });
		const refused = await failure(unknown.call('chain.v1.ChainService/GetBlock', block('1')));
		expect(refused.code).toBe(status.UNAVAILABLE);
		unknown.close();
	});

	test('calls are recorded with metadata and status', async () => {
		await failure(client.call('chain.v1.TroubleService/Fail', { code: 9, message: 'no' }));
		const endless = client.stream('chain.v1.ChainService/StreamBlocks', { interval_ms: 5 });
		endless.on('data', () => endless.cancel());
		expect((await failure(all(endless))).code).toBe(status.CANCELLED);
		await waitUntil(async () => (await seen()).calls[1]?.code);
		const { calls } = await seen();
		expect(calls).toMatchObject([
			{ method: '/chain.v1.TroubleService/Fail', code: 9 },
			{ method: '/chain.v1.ChainService/StreamBlocks', code: status.CANCELLED },
		]);
		expect(calls[0]!.metadata['x-token']).toBe(sandbox.xToken);
	});

	test('every call can be refused', async () => {
		await set({ refuse: status.RESOURCE_EXHAUSTED });
		const refused = await failure(client.call('chain.v1.ChainService/GetBlock', block('1')));
		expect(refused.code).toBe(status.RESOURCE_EXHAUSTED);
	});
});

describe('limits', () => {
	const get = () => client.call('chain.v1.ChainService/GetBlock', block('1'));

	test.each([true, false])(
		'a call too many is refused, with when to come back: %s',
		async (hasRetryAfter) => {
			const settings = { room: 'grpc', callsPerSecond: 1, retryAfter: hasRetryAfter };
			await sandbox.control('PUT', '/limits', settings);
			await get();
			const { code, metadata } = (await failure(get())) as ServiceError;
			expect(code).toBe(status.RESOURCE_EXHAUSTED);
			const [detail] = metadata.get('grpc-status-details-bin');
			expect(String(detail).includes('google.rpc.RetryInfo')).toBe(hasRetryAfter);
			expect(await sandbox.control('GET', '/counts')).toMatchObject({
				grpc: { answered: 1, refused: 1 },
			});
		},
	);

	test('the limit of another server is none', async () => {
		await sandbox.control('PUT', '/limits', { room: 'node', callsPerSecond: 1 });
		await Promise.all([get(), get(), get()]);
	});
});

describe('connections', () => {
	test('they are counted, dropped and silenced', async () => {
		await client.call('chain.v1.ChainService/GetBlock', block('1'));
		// The clients of earlier tests are closed, but the service may notice it later.
		await waitUntil(async () => (await seen()).openConnections === 1);
		await sandbox.reset();
		const other = rawClient(sandbox);
		const get = () => other.call('chain.v1.ChainService/GetBlock', block('1'));
		await get();
		await get();
		expect(await seen()).toMatchObject({ connections: 1, openConnections: 2 });
		const waiting = failure(other.call('chain.v1.TroubleService/Slow', { delay_ms: 60_000 }));
		await waitUntil(async () =>
			(await seen()).calls.find(({ method }) => method.endsWith('/Slow')),
		);
		await sandbox.control('POST', '/grpc/drop');
		expect((await waiting).code).toBe(status.UNAVAILABLE);
		expect((await seen()).openConnections).toBe(0);
		await set({ silent: true });
		const late = sleep(300, 'silence');
		expect(await Promise.race([get().catch(() => 'refused'), late])).toBe('silence');
		other.close();
	});
});
