import { createServer } from 'node:http';
import { once } from 'node:events';
import { Platform } from '../../nodes/Platform/Platform.node';
import { runNode } from '../harness/engine.mts';

test('x', async () => {
	const server = createServer((q, r) => {
		r.setHeader('content-type', 'application/json');
		r.end(JSON.stringify({ id: q.url, name: q.headers.authorization, big: 1 }));
	}).listen(0);
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	const result = await runNode({
		node: new Platform(),
		parameters: { resource: 'organization', operation: 'get' },
		credentials: {
			chainPlatformApi: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sekretsekret' },
		},
		items: [{ json: {} }, { json: {} }],
	});
	console.log(JSON.stringify(result, null, 1));
	server.close();
});
