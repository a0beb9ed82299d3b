import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

async function organization(options: INodeParameters = {}, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new Platform(),
		parameters: { resource: 'organization', operation: 'get', options },
		credentials: sandbox.credentials.platform,
		...more,
	});
}

const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({ json: { index } }));

describe('errors', () => {
	test('a wrong key is refused in the words of the service, and asked only once', async () => {
		const { error } = await organization(
			{},
			{ credentials: { chainPlatformApi: { baseUrl: sandbox.platformUrl, apiKey: 'wrong-key' } } },
		);
		expect(error?.message).toBe('Invalid API key.');
		expect(error?.description).toBe(
			'GET /v1/organization/ answered 401. Check the secret in the credential.',
		);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('the secret is struck from a page that echoes it in every spelling', async () => {
		await sandbox.fault({ do: { echo: true } });
		const result = await organization();
		expect(result.error?.message).toBeDefined();
		const everything = JSON.stringify([result, { ...result.error }, result.error?.stack]);
		const base64 = Buffer.from(sandbox.apiKey).toString('base64').slice(0, -4);
		for (const secret of [sandbox.apiKey, encodeURIComponent(sandbox.apiKey), base64]) {
			expect(everything).not.toContain(secret);
		}
		expect(everything).not.toContain('127.0.0.1');
	});

	test('a redirect is not followed', async () => {
		await sandbox.fault({ do: { redirect: `${sandbox.nodeUrl}/elsewhere`, status: 302 } });
		const { error } = await organization();
		expect(error?.message).toMatch(/redirects are not followed/);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('without continue-on-fail the first failing item ends the node and names its index', async () => {
		await sandbox.fault({ skip: 2, times: -1, do: { status: 400, body: { detail: 'No.' } } });
		const result = await organization({ concurrency: 1 }, { items: items(6) });
		expect(result.status).toBe('error');
		expect(result.error?.message).toBe('No.');
		expect(result.error?.context.itemIndex).toBe(2);
		expect(await sandbox.record()).toHaveLength(3);
	});

	test('with continue-on-fail a failing item becomes an error item and the others go on', async () => {
		await sandbox.fault({
			skip: 1,
			do: { status: 400, body: { errors: [{ message: 'Broken.' }] } },
		});
		const result = await organization(
			{ concurrency: 1 },
			{ items: items(3), onError: 'continueRegularOutput' },
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(result.items[1]?.json).toEqual({
			error: 'Broken.',
			message: 'GET /v1/organization/ answered 400.',
		});
		expect(result.items[2]?.json).toHaveProperty('name');
	});

	test('the error output gets the failing items', async () => {
		await sandbox.fault({ skip: 1, do: { status: 404, body: 'gone' } });
		const result = await organization(
			{ concurrency: 1 },
			{ items: items(3), onError: 'continueErrorOutput' },
		);
		expect(result.items).toHaveLength(2);
		expect(result.errorItems).toHaveLength(1);
		expect(result.errorItems[0]?.json).toMatchObject({ index: 1, error: 'gone' });
	});
});

describe('retries', () => {
	test.each([
		['502', { status: 502 }],
		['504', { status: 504 }],
		['a reset connection', { reset: 'before' }],
		['a truncated body', { truncate: true }],
	])('a read is repeated after %s', async (_, fault) => {
		await sandbox.fault({ times: 1, do: fault });
		const { items: found } = await organization();
		expect(found[0]?.json).toHaveProperty('id');
		expect(await sandbox.record()).toHaveLength(2);
	});

	test('a read is repeated only as often as the user allows', async () => {
		await sandbox.fault({ times: -1, do: { status: 502 } });
		const { error } = await organization({ maxRetries: 1 });
		expect(error?.description).toMatch(/answered 502/);
		expect(await sandbox.record()).toHaveLength(2);
	});

	test('a 400 is not repeated', async () => {
		await sandbox.fault({ do: { status: 400 } });
		await organization();
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('silence ends with the timeout, in words that say so', async () => {
		await sandbox.fault({ do: { stall: 60_000 } });
		const { error } = await organization({ timeout: 300, maxRetries: 0 });
		expect(error?.message).toBe('The service did not answer within 0.3 s');
	});

	test('a rate limit that says when to come back is waited for, without using up retries', async () => {
		await sandbox.control('PUT', '/limits', { callsPerSecond: 5, as: 'http429', retryAfter: true });
		const result = await organization({ maxRetries: 0 }, { items: items(12) });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(12);
	});

	test('a rate limit that asks for a day is not waited for', async () => {
		await sandbox.fault({
			do: { status: 429, headers: { 'retry-after': '86400' }, body: 'tomorrow' },
		});
		const { error } = await organization();
		expect(error?.message).toBe('tomorrow');
	});

	test('a service that is down is said to be', async () => {
		const { error } = await organization(
			{ maxRetries: 0 },
			{ credentials: { chainPlatformApi: { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' } } },
		);
		expect(error?.message).toBe('The service refused the connection');
	});
});

describe('stopping', () => {
	test('ends the waiting and sends nothing more', async () => {
		await sandbox.fault({ times: -1, do: { status: 503, headers: { 'retry-after': '30' } } });
		const begun = Date.now();
		const result = await organization({ concurrency: 2 }, { items: items(20), stopAfter: 400 });
		expect(result.status).toBe('canceled');
		// The wait is not the half minute that the service asks for.
		expect(Date.now() - begun).toBeLessThan(25_000);
		const sent = (await sandbox.record()).length;
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(await sandbox.record()).toHaveLength(sent);
	});
});

describe('credentials and options', () => {
	test.each([
		['', /Base URL of the credential must be a full address/],
		['ftp://example.com', /must begin with https/],
		['http://example.com', /must begin with https/],
		['https://user:pass@example.com', /must not contain a user name/],
		['https://example.com/?a=1', /must not contain \? or #/],
	])('an address such as "%s" is refused and nothing is sent', async (baseUrl, message) => {
		const { error } = await organization(
			{},
			{ credentials: { chainPlatformApi: { baseUrl, apiKey: 'k' } } },
		);
		expect(error?.message).toMatch(message);
	});

	test('an empty key and one with a line break are refused', async () => {
		for (const apiKey of ['', 'a\r\nX-Other: b']) {
			const { error } = await organization(
				{},
				{ credentials: { chainPlatformApi: { baseUrl: sandbox.platformUrl, apiKey } } },
			);
			expect(error?.message).toMatch(/API Key of the credential/);
		}
		expect(await sandbox.record()).toEqual([]);
	});

	test.each([
		['concurrency', 0, "'Options > Concurrency' must be a whole number, 1 to 100; got 0"],
		['timeout', 1.5, "'Options > Timeout' must be a whole number, 1 to 3600000; got 1.5"],
		['maxRetries', -1, "'Options > Max Retries' must be a whole number, 0 to 20; got -1"],
	])('%s of %s is refused by its name', async (name, value, message) => {
		const { error } = await organization({ [name]: value });
		expect(error?.message).toBe(message);
	});
});
