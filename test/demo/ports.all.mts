import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
const ports = pathToFileURL(join(root, 'tools', 'ports.mts')).href;

/** Returns `count` free ports, or the message of the error. */
function free(count: number, wanted?: number): unknown {
	const script = `
		import { findFreePort } from ${JSON.stringify(ports)};
		const found = Array.from({ length: ${count} }, async () => await findFreePort(${wanted ?? ''}));
		const words = await Promise.all(found).catch(({ message }) => message);
		console.log(JSON.stringify(words));`;
	const options = ['--import', 'tsx', '--input-type=module', '-e', script];
	const { stdout, stderr } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' });
	if (stderr) throw new Error(stderr);
	return JSON.parse(stdout);
}

describe('a free port', () => {
	test('is none that the system gives to a connection before it is listened to', async () => {
		const first =
			process.platform === 'linux'
				? Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'))
				: 49_152;
		const found = free(50) as number[];
		expect(found).toHaveLength(50);
		for (const port of found) expect(port).toBeLessThan(first);
	});

	test('is the one that is wanted, if nobody uses it', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		expect(free(1, port)).toMatch(`Port ${port} cannot be used (EADDRINUSE)`);
		server.close();
		await once(server, 'close');
		expect(free(1, port)).toEqual([port]);
	});
});
