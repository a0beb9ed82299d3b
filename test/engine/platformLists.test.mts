import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode } from '../harness/engine.mts';
import { listOf } from '../harness/lists.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** These tests check the list of projects in the filter by name. */

const sandbox = createSandbox();

async function listed(filter?: string) {
	const node = new Platform();
	const form = { node, parameters: {}, credentials: sandbox.credentials.platform };
	return await listOf(node.methods.listSearch.projects, form, filter);
}

describe('the projects to choose from', () => {
	test('are those of the platform, on all of its pages', async () => {
		const found = await listed();
		expect(found).toHaveLength(237);
		expect(found).toContainEqual({ name: '雪花 relay', value: '雪花 relay' });
		expect((await listed('APOLLO')).length).toBeGreaterThan(5);
	});

	test('are read in few requests, however many the platform says there are', async () => {
		const results = [{ name: 'One' }, { name: 7 }, {}, 'x', { name: '=x' }, { name: '\u202eB\n' }];
		const body = { results, count: 1e9, next: `${sandbox.platformUrl}/v1/projects/?page=2` };
		await sandbox.fault({ times: -1, do: { status: 200, body } });
		const found = await listed();
		expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['One', '?B ']));
		expect(await sandbox.record()).toHaveLength(10);
	});

	test.each([{ results: 'none' }, [], { results: [], next: 'https://example.com/?page=2' }])(
		'%o gives no project, and the key stays here',
		async (body) => {
			await sandbox.fault({ times: -1, do: { status: 200, body } });
			const found = await listed().catch((error: unknown) => error);
			expect(found instanceof Error || (found as object[]).length === 0).toBe(true);
			expect(String(found)).not.toContain(sandbox.apiKey);
		},
	);
});

/** Workflows that were saved when the field was still a text field contain only the name. */
test.each([
	['from the list', (value: string) => ({ __rl: true, mode: 'list', value })],
	['by its name', (value: string) => ({ __rl: true, mode: 'name', value })],
	['as it was stored before', (value: string) => value],
])('a project that was given %s is found', async (_how, give) => {
	const { items, error } = await runNode({
		node: new Platform(),
		parameters: { resource: 'project', operation: 'getAll', filters: { name: give('雪花 relay') } },
		credentials: sandbox.credentials.platform,
	});
	expect(error?.message).toBeUndefined();
	expect(items.map(({ json }) => json.name)).toEqual(['雪花 relay']);
});
