import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox();

async function platform(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new Platform(),
		parameters,
		credentials: sandbox.credentials.platform,
		...more,
	});
}

const getProjects = (parameters: INodeParameters = {}) => ({
	resource: 'project',
	operation: 'getAll',
	...parameters,
});
const ids = (items: ReadonlyArray<{ json: IDataObject }>) => items.map(({ json }) => json.id);

describe('projects', () => {
	test('all of them come out once each, in order, and later pages travel side by side', async () => {
		await sandbox.control('PUT', '/latency', { ms: 1_000 });
		const { items } = await platform(getProjects({ returnAll: true }));
		expect(items).toHaveLength(237);
		expect(new Set(ids(items)).size).toBe(237);
		const created = items.map(({ json }) => String(json.created_at));
		expect(created).toEqual([...created].sort());
		expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);

		const [first, second, ...others] = await sandbox.record();
		expect(second?.at).toBeGreaterThanOrEqual(first?.endedAt ?? Infinity);
		expect(others.every(({ at }) => at < (second?.endedAt ?? 0))).toBe(true);
	});

	test('a limit reads no page that it does not need', async () => {
		const { items } = await platform(getProjects({ returnAll: false, limit: 45 }));
		expect(items).toHaveLength(45);
		expect((await sandbox.record()).map(({ query }) => query.page ?? '1')).toEqual(['1', '2']);
	});

	test('without parameters the limit is 50', async () => {
		expect((await platform(getProjects())).items).toHaveLength(50);
	});

	test('every documented query parameter is sent by its documented name', async () => {
		await platform(
			getProjects({
				filters: { name: 'No such name', organization: 'RG-1', type: 'public' },
				options: { orderBy: '-created_at', page: 1 },
			}),
		);
		const [seen] = await sandbox.record();
		expect(seen?.query).toEqual({
			name: 'No such name',
			organization: 'RG-1',
			type: 'public',
			order_by: '-created_at',
			page: '1',
		});
		expect(seen?.status).toBe(200);
	});

	test('a page to begin with leaves out the earlier ones', async () => {
		const all = await platform(getProjects({ returnAll: true }));
		const rest = await platform(getProjects({ returnAll: true, options: { page: 9 } }));
		expect(ids(rest.items)).toEqual(ids(all.items).slice(200));
	});

	test('filters by expression differ from item to item, and items stay paired', async () => {
		const all = await platform(getProjects({ returnAll: true }));
		const names = [17, 101].map((index) => String(all.items[index]?.json.name));
		const { items } = await platform(getProjects({ filters: { name: '={{ $json.name }}' } }), {
			items: names.map((name) => ({ json: { name } })),
		});
		expect(new Set(items.map(({ json }) => json.name))).toEqual(new Set(names));
		expect(items.map(({ json }) => names.indexOf(String(json.name)))).toEqual(
			items.map(({ pairedItem }) => (pairedItem as { item: number }).item),
		);
	});
});

describe('a hostile list', () => {
	test.each([
		['another host', 'https://example.com/v1/projects/?page=2'],
		['a host that only begins alike', 'http://127.0.0.1.example.com/v1/projects/?page=2'],
		['a port of this machine', 'http://127.0.0.1:9/v1/projects/?page=2'],
	])('whose page link leads to %s ends with a clear error', async (_, next) => {
		await sandbox.fault({ path: '/projects/', do: { patch: { next } } });
		const { error } = await platform(getProjects({ returnAll: true }));
		expect(error?.message).toBe('The service returned a link to a different address');
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('whose page link leads back ends with a clear error', async () => {
		const next = `${sandbox.platformUrl}/v1/projects/?page=1`;
		await sandbox.fault({ path: '/projects/', times: -1, do: { patch: { next, count: null } } });
		const { error } = await platform(getProjects({ returnAll: true }));
		expect(error?.message).toBe('The service returned the same page of a list twice');
	});

	test('without a count is read link by link', async () => {
		await sandbox.fault({ path: '/projects/', times: -1, do: { patch: { count: null } } });
		expect((await platform(getProjects({ returnAll: true }))).items).toHaveLength(237);
	});
});

describe('any method', () => {
	const request = (parameters: INodeParameters) => ({
		resource: 'api',
		operation: 'request',
		...parameters,
	});

	test('is called by its path with a query, as the credential asks for it', async () => {
		const query = { page: 2, type: ['public'] };
		const { items } = await platform(request({ path: '/v1/projects/', query }));
		expect(items[0]?.json.count).toBe(237);
		const [seen] = await sandbox.record();
		expect([seen?.method, seen?.query]).toEqual(['GET', { page: '2', type: 'public' }]);
	});

	test.each([
		[
			[{ id: 1 }, 'two', null],
			[{ id: 1 }, { result: 'two' }, { result: null }],
		],
		[[], []],
		[{ a: 1 }, [{ a: 1 }]],
	])('%j comes out as one item for each entry', async (body, wanted) => {
		await sandbox.fault({ do: { status: 200, body } });
		const { items } = await platform(request({ path: 'v1/keys' }));
		expect(items.map(({ json }) => json)).toEqual(wanted);
	});

	test('no content is an empty item', async () => {
		await sandbox.fault({ do: { status: 204, body: '' } });
		const { items, error } = await platform(request({ path: 'v1/keys', httpMethod: 'DELETE' }));
		expect([items[0]?.json, error]).toEqual([{}, undefined]);
		const [seen] = await sandbox.record();
		expect([seen?.method, seen?.body]).toEqual(['DELETE', null]);
	});

	test.each([
		['DELETE', {}, null],
		['DELETE', { body: '{ "ids": [1] }' }, { ids: [1] }],
		['POST', {}, {}],
		['POST', { body: '' }, null],
	])('%s with %j has the body %j', async (httpMethod, given, body) => {
		await platform(request({ path: 'v1/keys', httpMethod, ...given }));
		const [seen] = await sandbox.record();
		expect([seen?.method, seen?.body]).toEqual([httpMethod, body]);
	});

	test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
		'a lost answer to %s is asked for again only by GET',
		async (httpMethod) => {
			await sandbox.fault({ do: { status: 502 } });
			const { error } = await platform(request({ path: 'v1/organization/', httpMethod }));
			const seen = await sandbox.record();
			expect(seen.map(({ method }) => method)).toEqual(
				httpMethod === 'GET' ? ['GET', 'GET'] : [httpMethod],
			);
			if (httpMethod !== 'GET') expect(error?.description).toContain('may');
		},
	);

	test.each(['../x', 'https://example.com/', '/', 'v1/%2e%2e/x', '//example.com/x'])(
		'the path %p is refused',
		async (path) => {
			const { error } = await platform(request({ path }));
			expect(error?.message).toMatch(/^'Path' (must be|is required)/);
			expect(await sandbox.record()).toEqual([]);
		},
	);
});
