import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { buildFileInMemory, storeFile } from '../harness/binary.mts';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { buildLargeFile, sendChunks } from '../harness/largeIpfsFile.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { createTestServer, sendJson } from '../harness/server.mts';
import { waitUntil } from '../harness/until.mts';

const sandbox = createSandbox();

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
			// The status 200 shows that the request had no API key, because the sandbox would refuse a key.
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

describe('a large file', () => {
	const chunks = 120;
	const file = buildLargeFile(chunks);

	const send = async (response: ServerResponse, count: number, one = file) =>
		await sendChunks(response, count, one);

	const settings = { cid: file.cid, options: { maxSize: 400 } };

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
		expect(lost.error?.message).toBe('The connection was lost before the whole file had arrived');
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
