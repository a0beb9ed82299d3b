import fastify from 'fastify';
import { createXToken } from '../../sandbox/http/credentials.mts';
import { startSandbox, type Sandbox } from '../../sandbox/service.mts';

// This process starts the sandboxes of all test files. A process for each sandbox would load the same modules forty
// times.
const sandboxes = new Map<string, Sandbox>();
const app = fastify();

app.post<{ Body: { chain: boolean; grpc: boolean } }>('/', async ({ body }) => {
	const grpc = body.grpc ? { xToken: createXToken({}) } : undefined;
	const sandbox = await startSandbox({ chain: body.chain, grpc });
	sandboxes.set(sandbox.addresses.controlUrl, sandbox);
	return { ...sandbox.addresses, ...sandbox.secrets };
});

app.delete<{ Querystring: { controlUrl: string } }>('/', async ({ query }) => {
	await sandboxes.get(query.controlUrl)?.stop();
	sandboxes.delete(query.controlUrl);
});

// The stdin of the process closes when the tests have ended, whether they passed or failed.
process.stdin.resume().once('close', async () => {
	await Promise.all([...sandboxes.values()].map(async (sandbox) => await sandbox.stop()));
	process.exit(0);
});

console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
