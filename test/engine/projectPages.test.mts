import type { INodeParameters } from 'n8n-workflow';
import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode } from '../harness/engine.mts';
import { createTestServer, sendJson } from '../harness/server.mts';

/**
 * These tests read a list of projects that changes while it is read, or whose links to further pages have another
 * scheme than the service.
 */

const PER_PAGE = 10;

let total: number;
let shown: number;
let link: (path: string, host: string) => string;

const server = createTestServer(({ path, request }, response) => {
	const page = Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1);
	const ids = Array.from({ length: shown }, (_, id) => ({ id }));
	const results = ids.slice((page - 1) * PER_PAGE, page * PER_PAGE);
	if (page > 1 && results.length === 0) return sendJson(response, 404, { detail: 'Invalid page.' });
	const next = `/v1/projects/?page=${page + 1}`;
	const host = String(request.headers.host);
	sendJson(response, 200, {
		count: total,
		next: page * PER_PAGE < total ? link(next, host) : null,
		results,
	});
});
beforeEach(() => {
	total = shown = 95;
	link = (path, host) => `http://${host}${path}`;
});

async function projects(parameters: INodeParameters = { returnAll: true }) {
	return await runNode({
		node: new Platform(),
		parameters: { resource: 'project', operation: 'getAll', ...parameters },
		credentials: server.credentials.platform,
	});
}

test('that grow fewer while they are read: a page that is gone ends the list', async () => {
	shown = 60;
	const { items, error } = await projects();
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual(Array.from({ length: 60 }, (_, id) => id));
});

test('that are gone from the beginning are a failure', async () => {
	const { error } = await projects({ returnAll: true, options: { page: 50 } });
	expect(error?.message).toBe('Invalid page.');
});

test('whose link is gone, where links are followed one by one, end there too', async () => {
	shown = 20;
	link = (path, host) => `http://${host}${path.replace('page', 'cursor=1&page')}`;
	expect((await projects()).items).toHaveLength(20);
});

test('whose links have another scheme are read by that of the credential', async () => {
	link = (path, host) => `https://${host}${path}`;
	expect((await projects()).items).toHaveLength(95);
	expect(server.received).toHaveLength(10);
});

test.each(['ftp', 'httpsx'])('whose links have the scheme %s are not followed', async (scheme) => {
	link = (path, host) => `${scheme}://${host}${path}`;
	expect((await projects()).error?.message).toMatch(/link to a different address/);
	expect(server.received).toHaveLength(1);
});
