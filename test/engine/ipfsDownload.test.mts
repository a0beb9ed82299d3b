import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { buildFileInMemory, storeFile } from '../harness/binary.mts';
import { collectGarbage } from '../harness/garbage.mts';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { encodeFrame, encodeHeader } from '../harness/ipfsImporter.mts';
import { TRIES_ALL } from '../harness/caseCount.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { createTestServer, sendJson } from '../harness/server.mts';
import { waitUntil } from '../harness/until.mts';

const sandbox = createSandbox();

const CAR = 'application/vnd.ipld.car';

async function download(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new IpfsPin(),
		parameters: { operation: 'download', ...parameters },
		credentials: sandbox.credentials.platform,
		...more,
	});
}

async function upload(
	data: IBinaryData,
	credentials: NodeRun['credentials'] = sandbox.credentials.platform,
) {
	return await runNode({
		node: new IpfsPin(),
		parameters: { operation: 'upload', bucketId: 'BUCK-1' },
		credentials,
		items: [{ json: {}, binary: { data } }],
	});
}

async function readBinary(data: IBinaryData | undefined): Promise<Buffer> {
	return data ? await Container.get(BinaryDataService).getAsBuffer(data) : Buffer.alloc(0);
}

describe('what was pinned', () => {
	test.each([10, 300_000, 5_000_000])(
		'comes back verified: %d bytes',
		async (size) => {
			const content = randomBytes(size);
			const pinned = (await upload(await storeFile(content))).items[0]?.json;
			expect(pinned?.cidVerified).toBe(true);
			const gateway = `${sandbox.platformUrl}/ipfs`;
			const { items, error } = await download({
				cid: `ipfs://${String(pinned?.cid)}`,
				gateway,
				binaryPropertyName: 'file',
			});
			expect(error).toBeUndefined();
			const [item] = items;
			expect(item?.json).toEqual({ cid: pinned?.cid, size, verified: true });
			expect(item?.pairedItem).toEqual({ item: 0 });
			expect(Object.keys(item?.binary ?? {})).toEqual(['file']);
			expect(item?.binary?.file?.fileName).toBe(pinned?.cid);
			expect((await readBinary(item?.binary?.file)).equals(content)).toBe(true);
			// The sandbox refuses a key.
			const asked = (await sandbox.record()).filter(({ path }) => path.startsWith('/ipfs/'));
			expect(asked.map(({ query, status }) => [query, status])).toEqual([
				[{ format: 'car', 'dag-scope': 'entity' }, 200],
			]);
		},
		30_000,
	);

	test('is not there: the item fails, also where nothing is verified', async () => {
		const missing = 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64';
		const gateway = sandbox.platformUrl;
		const { error } = await download({ cid: missing, gateway });
		expect(error?.message).toBe('The file cannot be verified');
		expect(error?.description).toMatch(/404 for application\/vnd\.ipld\.car; 404 for/);
		const plain = await download({ cid: missing, gateway, options: { verify: false } });
		expect(plain.error?.message).toBe('The gateway answered 404');
	});

	test.each([
		['cid', { cid: 'nonsense' }, /^'CID' must be a CID or an ipfs:\/\/ address/],
		['gateway', { gateway: 'ftp://example.com' }, /^'Gateway' must be a full address/],
		['key', { gateway: 'https://user:secret@example.com' }, /^'Gateway' must be a full address/],
		['size', { options: { maxSize: 0 } }, /'Options > Max Size' must be a whole number/],
	])('a wrong %s is refused before anything is sent', async (_, wrong, expected) => {
		const cid = 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64';
		const { error } = await download({ cid, gateway: sandbox.platformUrl, ...wrong });
		expect(error?.message).toMatch(expected);
		expect(error?.message).not.toContain('secret');
		expect(await sandbox.record()).toEqual([]);
	});
});

let serve: (response: ServerResponse, url: URL) => Promise<void> | void;

const server = createTestServer(async ({ request }, response) => {
	await serve(response, new URL(request.url ?? '', 'http://localhost'));
});

describe('the CID that a service gives', () => {
	const content = Buffer.from('A short report');

	test.each([
		['bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64', true],
		['bafkreielfblmyyi5iddmcyegcnghmpqse6qocjtuyu44mfabl7qgm6gpga', false],
		['bafybeielfblmyyi5iddmcyegcnghmpqse6qocjtuyu44mfabl7qgm6gpga', null],
		[undefined, null],
	])('%s: cidVerified is %j', async (cid, cidVerified) => {
		serve = (response) => sendJson(response, 200, { id: 'PIN-1', cid });
		const { items } = await upload(buildFileInMemory(content), server.credentials.platform);
		expect(items[0]?.json).toEqual({ id: 'PIN-1', ...(cid && { cid }), cidVerified });
	});
});

const MEGABYTE = 1024 * 1024;

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** A file of chunks of a megabyte, each with its number in front: its root, and the frames of its chunks. */
function buildLargeFile(chunks: number) {
	const rest = randomBytes(MEGABYTE - 4);
	const buildChunk = (index: number) => {
		const number = Buffer.alloc(4);
		number.writeUInt32BE(index);
		return Buffer.concat([number, rest]);
	};
	const cids = Array.from({ length: chunks }, (_, index) =>
		Buffer.concat([Buffer.from('01551220', 'hex'), hash(buildChunk(index))]),
	);
	// Each link has a hash, an empty name and a size of one megabyte.
	const links = cids.map((cid) =>
		Buffer.concat([Buffer.from([0x0a, cid.length]), cid, Buffer.from('120018808040', 'hex')]),
	);
	const about = Buffer.concat([
		Buffer.from('0802', 'hex'),
		...cids.map(() => Buffer.from('20808040', 'hex')),
	]);
	const root = Buffer.concat([
		...links.flatMap((link) => [Buffer.from([0x12]), encodeFrame(link)]),
		Buffer.from([0x0a]),
		encodeFrame(about),
	]);
	const rootCid = Buffer.concat([Buffer.from('01701220', 'hex'), hash(root)]);
	return {
		cid: `f${rootCid.toString('hex')}`,
		start: Buffer.concat([encodeHeader(), encodeFrame(Buffer.concat([rootCid, root]))]),
		buildChunk,
		buildFrame: (index: number) =>
			encodeFrame(Buffer.concat([cids[index] ?? Buffer.alloc(0), buildChunk(index)])),
	};
}

describe('a large file', () => {
	const chunks = TRIES_ALL ? 300 : 120;
	const file = buildLargeFile(chunks);

	const send = async (response: ServerResponse, count: number, { start, buildFrame } = file) => {
		response.writeHead(200, { 'content-type': CAR });
		response.write(start);
		for (let sent = 0; sent < count && !response.destroyed; sent++) {
			if (!response.write(buildFrame(sent)))
				await Promise.race([once(response, 'drain'), once(response, 'close')]);
		}
	};

	const settings = { cid: file.cid, options: { maxSize: 400 } };

	test('passes into the storage of n8n in constant memory', async () => {
		let most = 0;
		collectGarbage();
		const before = process.memoryUsage().arrayBuffers;
		// The collection of a heap of gigabytes, which jest may have by now, takes seconds.
		const buildMeasuredFrame = (index: number) => {
			if (index % 40 === 39) {
				collectGarbage();
				most = Math.max(most, process.memoryUsage().arrayBuffers - before);
			}
			return file.buildFrame(index);
		};
		serve = async (response) => {
			await send(response, chunks, { ...file, buildFrame: buildMeasuredFrame });
			response.end();
		};
		const { items, error } = await download({ ...settings, gateway: server.url });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ size: chunks * MEGABYTE, verified: true });
		const id = String(items[0]?.binary?.data?.id);
		const stored = await Container.get(BinaryDataService).getMetadata(id);
		expect(stored.fileSize).toBe(chunks * MEGABYTE);
		const stream = await Container.get(BinaryDataService).getAsStream(id, MEGABYTE);
		const [first] = (await stream.take(1).toArray()) as Buffer[];
		expect(first?.equals(file.buildChunk(0))).toBe(true);
		expect(most).toBeLessThan((chunks / 2) * MEGABYTE);
	}, 120_000);

	const expectNothingOpen = async () => await waitUntil(() => server.open() === 0);

	test('is refused before it comes, when it is larger than Max Size', async () => {
		serve = async (response) => await send(response, chunks);
		const { error } = await download({ cid: file.cid, gateway: server.url });
		expect(error?.message).toBe('The file is larger than 100 MB');
		await expectNothingOpen();
	});

	test('fails when the gateway falls silent, hangs up, or ends early', async () => {
		serve = async (response) => await send(response, 5);
		const options = { maxSize: 400, timeout: 300 };
		const silent = await download({ ...settings, options, gateway: server.url });
		expect(silent.error?.message).toBe('The server was silent for 0.3 s');
		serve = async (response) => {
			await send(response, 5);
			response.destroy();
		};
		const lost = await download({ ...settings, gateway: server.url });
		expect(lost.error?.message).toBe('The connection was lost before the whole file had come');
		serve = async (response, url) => {
			if (url.searchParams.get('format') === 'raw') response.writeHead(404).end();
			else await send(response, 0).then(() => response.end());
		};
		const early = await download({ ...settings, gateway: server.url });
		expect(early.error?.message).toMatch(/^The gateway did not give the block bafkrei/);
		expect([silent, lost, early].map(({ items }) => items)).toEqual([[], [], []]);
		await expectNothingOpen();
	}, 60_000);

	test('ends when n8n stops, and leaves no connection', async () => {
		serve = async (response) => await send(response, 5);
		const { status } = await download({ ...settings, gateway: server.url }, { stopAfter: 300 });
		expect(status).toBe('canceled');
		await expectNothingOpen();
	});

	test('a busy gateway is asked again, a redirect is not followed', async () => {
		const short = buildLargeFile(2);
		const asking = { cid: short.cid, gateway: server.url };
		let asked = 0;
		serve = async (response) => {
			if (++asked === 1) response.writeHead(503).end();
			else await send(response, 2, short).then(() => response.end());
		};
		expect((await download(asking)).error).toBeUndefined();
		serve = (response) => void response.writeHead(301, { location: server.url }).end();
		const { error } = await download(asking);
		expect(error?.description).toMatch(/301 \(redirects are not followed\)/);
	});
});
