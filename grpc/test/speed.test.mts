import { ChainNodeXTokenApi } from '../credentials/ChainNodeXTokenApi.credentials';
import { connect } from '../nodes/Grpc/endpoint';
import { callOf, startGrpcSandbox, type GrpcSandbox } from './support.mts';

const COUNT = 1000;
const AT_ONCE = 100;
const ROUNDS = 2;

let sandbox: GrpcSandbox;
let grpc: typeof import('@grpc/grpc-js');

beforeAll(async () => {
	sandbox = await startGrpcSandbox();
	// Not before the sandbox: it reads the certificate when it is loaded.
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

/** What the node does, without n8n around it: reflection, and JSON to bytes and back. */
async function overOneChannel(): Promise<void> {
	const endpoint = await connect(sandbox.credential, new ChainNodeXTokenApi().properties);
	await eachOf(async (number) => {
		const block = { service: 'chain.v1.ChainService', method: 'GetBlock', request: { number } };
		const limits = { timeout: 30_000, maxMessages: 1 };
		await endpoint.send(async (session) => await session.call({ ...block, ...limits }));
	});
	endpoint.close();
}

/** Nothing but the call, as bytes, over a channel of its own. */
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

test('1,000 calls over one channel are at least five times as fast as over a channel each', async () => {
	const best = { node: Infinity, one: Infinity, each: Infinity };
	for (let round = 0; round < ROUNDS; round++) {
		best.node = Math.min(best.node, await timed(byNode));
		best.one = Math.min(best.one, await timed(overOneChannel));
		const { connections } = await sandbox.seen();
		best.each = Math.min(best.each, await timed(async () => await eachOf(alone)));
		expect((await sandbox.seen()).connections - connections).toBe(COUNT);
	}
	const { node, one, each } = best;
	console.log(
		`${COUNT} calls over TLS, ${AT_ONCE} at once: one channel ${one.toFixed(0)} ms, a channel each ${each.toFixed(0)} ms ` +
			`(${(each / one).toFixed(1)} times); the node in n8n's engine, with an expression per item, ${node.toFixed(0)} ms (${(each / node).toFixed(1)} times)`,
	);
	expect(each / one).toBeGreaterThanOrEqual(5);
	expect(each / node).toBeGreaterThan(2);
}, 120_000);
