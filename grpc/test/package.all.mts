import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPackage } from '../../test/harness/package.mts';
import { startSandbox, type Sandbox } from '../../test/harness/sandbox.mts';

const root = join(__dirname, '..');
const { dist, inNode } = testPackage({
	root,
	node: 'nodes/Grpc/Grpc.node',
	files: [
		'credentials/ChainNodeXTokenApi.credentials.js',
		'icons/grpc.dark.svg',
		'icons/grpc.svg',
		'icons/grpcTrigger.dark.svg',
		'icons/grpcTrigger.svg',
		'library/LICENSES.md',
		'library/session.js',
		'nodes/Grpc/Grpc.node.js',
		'nodes/Grpc/Grpc.node.json',
		'nodes/GrpcTrigger/GrpcTrigger.node.js',
		'nodes/GrpcTrigger/GrpcTrigger.node.json',
	],
});

test('n8n loads the node without the gRPC and protobuf libraries', async () => {
	const { description, own, http2, first, library } = await inNode<{
		description: { properties: Array<{ name: string }>; name: string };
		own: string[];
		http2: boolean;
		first: number;
		library: number;
	}>(`
		require(require.resolve('n8n-workflow', { paths: [file] }));
		const start = performance.now();
		const { description } = new (require(file).Grpc)();
		const first = performance.now() - start;
		const own = Object.keys(require.cache).filter((path) => path.startsWith(${JSON.stringify(root)}));
		const http2 = process.moduleLoadList.includes('NativeModule http2');
		require(${JSON.stringify(join(dist, 'library/session.js'))});
		print({ description, own, http2, first, library: performance.now() - start - first });
	`);
	console.log(
		`the node loads in ${first.toFixed(1)} ms, the library in ${library.toFixed(1)} ms when it is first used`,
	);
	expect(own).toEqual([join(dist, 'nodes/Grpc/Grpc.node.js')]);
	expect(http2).toBe(false);
	expect(description.name).toBe('grpc');
	const names = new Set(description.properties.map(({ name }) => name));
	expect([...names]).toEqual([
		'resource',
		'operation',
		'schemaFrom',
		'protoFiles',
		'descriptorSet',
		'service',
		'method',
		'requestsBy',
		'requestBy',
		'request',
		'requestFields',
		'requests',
		'options',
	]);
});

test('of n8n, the library has nothing in it', () => {
	const text = readFileSync(join(dist, 'library/session.js'), 'utf8');
	expect(text).not.toMatch(/n8n-workflow|NodeApiError|NodeOperationError/);
});

test('a large answer needs little more memory than its text', async () => {
	const sandbox = await startSandbox({ grpc: true });
	const { endpoint, xToken } = sandbox.credentials.xTokenPlain.chainNodeXTokenApi;
	const target = { address: endpoint, token: xToken, tls: false, isLoopback: true };
	const call = {
		service: 'chain.v1.TroubleService',
		method: 'Huge',
		schema: { from: 'reflection' },
		requests: { by: 'one', json: { bytes: 60_000_000 } },
		timeout: 30_000,
		maxMessages: 1,
	};
	const { length, end } = await inNode<{ length: number; end: string }>(
		`const { Session } = require(${JSON.stringify(join(dist, 'library/session.js'))});
		const session = new Session(${JSON.stringify(target)});
		session.call(${JSON.stringify(call)}).then(({ messages: [{ data }] }) => {
			print({ length: data.length, end: data.slice(-2) });
			session.close();
		});`,
		{ NODE_OPTIONS: '--max-old-space-size=300' },
	);
	expect([length, end]).toEqual([80_000_000, expect.stringMatching(/^[\w+/]{2}$/)]);
	await sandbox.stop();
});

test('a handshake that never ends does not keep the process alive', async () => {
	const server = createServer((socket) => socket.on('error', () => {}).resume());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const target = { address: `127.0.0.1:${port}`, token: 'a', tls: true, isLoopback: true };
	const { kind } = await inNode<{ kind: string }>(
		`const { Session } = require(${JSON.stringify(join(dist, 'library/session.js'))});
		const session = new Session(${JSON.stringify(target)});
		session.fetchServices({ from: 'reflection' }, 300).catch(({ problem }) => {
			session.close();
			print(problem);
		});`,
	);
	expect(kind).toBe('status');
	server.close();
});

describe('with a certificate that only NODE_EXTRA_CA_CERTS names', () => {
	let sandbox: Sandbox;
	let folder: string;

	beforeAll(async () => {
		sandbox = await startSandbox({ grpc: true });
		folder = mkdtempSync(join(tmpdir(), 'chain-infra-grpc-'));
		writeFileSync(join(folder, 'root.pem'), String(sandbox.grpcCertificate));
	});
	afterAll(async () => {
		rmSync(folder, { recursive: true });
		await sandbox.stop();
	});

	const tested = async (environment: NodeJS.ProcessEnv) =>
		await inNode<object>(
			`const { credentialTest } = new (require(file).Grpc)().methods;
			const data = ${JSON.stringify(sandbox.credentials.xToken.chainNodeXTokenApi)};
			credentialTest.xToken.call({}, { data }).then(print);`,
			environment,
		);

	test('the packed node reaches the service', async () => {
		expect(await tested({ NODE_EXTRA_CA_CERTS: join(folder, 'root.pem') })).toEqual({
			status: 'OK',
			message: expect.stringMatching(/^Connected: a gRPC endpoint with \d+ services$/),
		});
	});

	test('a file of certificates that cannot be read is reported as that', async () => {
		expect(await tested({ GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: join(folder, 'none.pem') })).toEqual({
			status: 'Error',
			message:
				"The file with the trusted certificates cannot be read. n8n's environment variable GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names it.",
		});
	});

	test('without it, the service cannot prove its identity', async () => {
		expect(await tested({})).toEqual({
			status: 'Error',
			message: 'The endpoint could not prove its identity (TLS)',
		});
	});
});
