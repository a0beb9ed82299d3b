import { ChainNodeXTokenApi } from '../credentials/ChainNodeXTokenApi.credentials';
import { connectEndpoint, type GrpcEndpoint } from '../nodes/core/endpoint';
import { figure } from '../../test/figures/figure.mts';
import { callOf, startGrpcSandbox, type GrpcSandbox } from './support/grpcSandbox.mts';

const COUNT = 1000;
const AT_ONCE = 100;

let sandbox: GrpcSandbox;
let grpc: typeof import('@grpc/grpc-js');

beforeAll(async () => {
	sandbox = await startGrpcSandbox();
	// The import follows the start of the sandbox, because the library reads the certificate when it is loaded.
	grpc = await import('@grpc/grpc-js');
});
afterAll(async () => await sandbox.stop());

/** The node in n8n's engine, which evaluates an expression for each item. */
async function byNode(): Promise<void> {
	const items = Array.from({ length: COUNT }, (_, number) => ({ json: { number } }));
	const parameters = { ...callOf('ChainService', 'GetBlock'), request: '={{ $json }}' };
	const found = await sandbox.run(parameters, { items });
	expect(found.items).toHaveLength(COUNT);
}

const endpoint = async () =>
	await connectEndpoint(sandbox.credential, new ChainNodeXTokenApi().properties);

async function block({ call }: GrpcEndpoint, number: number): Promise<void> {
	const method = { service: 'chain.v1.ChainService', method: 'GetBlock' };
	const limits = { timeout: 30_000, maxMessages: 1 };
	const requests = { by: 'one', json: { number } } as const;
	const schema = { from: 'reflection' } as const;
	await call({ ...method, ...limits, schema, requests }, async () => {});
}

/** Does the work of the node without n8n: reflection, and JSON to bytes and back. */
async function overOneChannel(): Promise<void> {
	const shared = await endpoint();
	await eachOf(async (number) => await block(shared, number));
	shared.close();
}

/** Does the same work for one item. */
async function overItsOwn(number: number): Promise<void> {
	const own = await endpoint();
	await block(own, number);
	own.close();
}

/** Makes only the call, as bytes, over a channel of its own. */
async function alone(number: number): Promise<void> {
	const { Client, credentials, Metadata } = grpc;
	const client = new Client(String(sandbox.credential.endpoint), credentials.createSsl());
	const metadata = new Metadata();
	metadata.set('x-token', sandbox.xToken);
	const request = Buffer.from([8, (number & 127) | 128, number >> 7]);
	const path = '/chain.v1.ChainService/GetBlock';
	const same = (bytes: Buffer) => bytes;
	await new Promise<void>((resolve, reject) => {
		client.makeUnaryRequest(path, same, same, request, metadata, (error) =>
			error ? reject(error) : resolve(),
		);
	});
	client.close();
}

async function eachOf(call: (number: number) => Promise<void>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < COUNT) await call(next++);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function timed(work: () => Promise<void>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

test('calls over one channel, and over a channel each', async () => {
	await overOneChannel();
	const one = await timed(overOneChannel);
	const node = await timed(byNode);
	const { connections } = await sandbox.seen();
	const each = await timed(async () => await eachOf(overItsOwn));
	expect((await sandbox.seen()).connections - connections).toBe(COUNT);
	const bare = await timed(async () => await eachOf(alone));
	const times = (other: number, base: number) => `${(other / base).toFixed(1)} times`;
	figure(
		`${COUNT} calls over TLS, ${AT_ONCE} at once: one channel ${one.toFixed(0)} ms; the same work over a channel each ` +
			`${each.toFixed(0)} ms (${times(each, one)}); nothing but bytes over a channel each ${bare.toFixed(0)} ms ` +
			`(${times(bare, one)}); the node in n8n's engine, with an expression per item, ${node.toFixed(0)} ms`,
	);
});
