import { randomBytes } from 'node:crypto';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { buildFileInMemory, storeFile } from '../harness/binary.mts';
import { computeCid } from '../harness/cid.mts';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox();

type More = Partial<NodeRun>;

async function pin(parameters: INodeParameters, more: More = {}) {
	return await runNode({
		node: new IpfsPin(),
		parameters: { bucketId: 'BUCK-1', ...parameters },
		credentials: sandbox.credentials.platform,
		...more,
	});
}

async function upload(
	data: INodeExecutionData['binary'],
	parameters: INodeParameters = {},
	more: More = {},
) {
	return await pin(
		{ operation: 'upload', ...parameters },
		{ items: [{ json: {}, binary: data }], ...more },
	);
}

interface Pin {
	readonly cid: string;
	readonly title: string;
	readonly size: number;
	readonly [key: string]: unknown;
}
const pins = async () => (await sandbox.control('GET', '/pins')) as Pin[];
const download = async (cid: unknown) => {
	const { body } = await request(`${sandbox.platformUrl}/ipfs/${String(cid)}`);
	return Buffer.from(await body.arrayBuffer());
};

describe('upload', () => {
	test.each([
		['in the item', buildFileInMemory],
		['in storage', storeFile],
	])('a file %s comes back identical, with the CID that it must have', async (_, file) => {
		const content = randomBytes(3_000_000);
		const data = await file(content, { fileName: 'report.bin', mimeType: 'application/x-report' });
		const { items, error } = await upload({ data });
		expect(error).toBeUndefined();
		const cid = await computeCid(content);
		expect(items).toEqual([
			{
				json: expect.objectContaining({
					id: expect.any(String),
					cid,
					title: 'report.bin',
					size: 3_000_000,
				}),
				pairedItem: { item: 0 },
			},
		]);
		expect((await download(cid)).equals(content)).toBe(true);
		const [seen] = await sandbox.record();
		expect(Number(seen?.headers['content-length'])).toBeGreaterThan(3_000_000);
		expect(seen?.headers['transfer-encoding']).toBeUndefined();
	});

	test('bucket, folder, field and file name are sent as documented', async () => {
		const { error } = await upload(
			{ picture: buildFileInMemory(Buffer.from('pixels'), { mimeType: 'image/png' }) },
			{
				bucketId: 'BUCK-2',
				binaryPropertyName: 'picture',
				options: { folderId: 'FOLD-2', fileName: 'cat.png' },
			},
		);
		expect(error).toBeUndefined();
		expect(await pins()).toMatchObject([
			{ bucket_id: 'BUCK-2', folder_id: 'FOLD-2', file_name: 'cat.png', content_type: 'image/png' },
		]);
	});

	test('a file name of more than 1,000 characters is refused', async () => {
		const named = (fileName: string) => ({
			data: buildFileInMemory(randomBytes(9), { fileName }),
		});
		expect((await upload(named('a'.repeat(1000)))).error).toBeUndefined();
		expect((await upload(named('a'.repeat(1001)))).error?.message).toBe(
			'The name of the file must have at most 1000 characters; it has 1001',
		);
	});

	test.each([
		['ünïcødé 文件.txt', 'ünïcødé 文件.txt'],
		['a"b.txt', 'a%22b.txt'],
		['a\r\nX-Evil: 1\r\n\r\n.txt', 'a__X-Evil: 1____.txt'],
		['a\'; name="bucket_id', "a'; name=%22bucket_id"],
	])('no file name can add a header or a field: %j', async (fileName, arrived) => {
		const { error } = await upload({ data: buildFileInMemory(randomBytes(9), { fileName }) });
		expect(error).toBeUndefined();
		expect(await pins()).toMatchObject([{ bucket_id: 'BUCK-1', file_name: arrived }]);
	});

	test('two travel at a time, and each item keeps its own', async () => {
		await sandbox.control('PUT', '/latency', { ms: 400 });
		const items = Array.from({ length: 6 }, (_, index) => ({
			json: {},
			binary: {
				data: buildFileInMemory(Buffer.from(`file ${index}`), { fileName: `${index}.txt` }),
			},
		}));
		const result = await pin({ operation: 'upload' }, { items });
		expect(result.items.map(({ json }) => json.title)).toEqual(
			items.map((_, index) => `${index}.txt`),
		);
		const record = await sandbox.record();
		const most = record.map(
			({ at }) => record.filter((one) => one.at <= at && (one.endedAt ?? 0) > at).length,
		);
		expect(Math.max(...most)).toBe(2);
	});
});

describe('upload of JSON', () => {
	test('is pinned as it was written, every digit of it', async () => {
		const json = '{ "amount": 123456789012345678901234567890, "name": "Ünï" }';
		const { items } = await pin({ operation: 'uploadJson', json });
		expect((await download(items[0]?.json.cid)).toString()).toBe(json);
		expect(await pins()).toMatchObject([
			{ file_name: 'data.json', content_type: 'application/json' },
		]);
	});

	test('takes an object by expression, a name and a folder', async () => {
		const { items } = await pin(
			{
				operation: 'uploadJson',
				json: '={{ $json }}',
				fileName: 'meta.json',
				options: { folderId: 'FOLD-1' },
			},
			{ items: [{ json: { a: [1, 'b'] } }] },
		);
		expect((await download(items[0]?.json.cid)).toString()).toBe('{"a":[1,"b"]}');
		expect(await pins()).toMatchObject([{ file_name: 'meta.json', folder_id: 'FOLD-1' }]);
	});
});

describe('what cannot be pinned', () => {
	test('a duplicate, an unknown bucket and a folder of another bucket are refused in words', async () => {
		const data = buildFileInMemory(Buffer.from('same'));
		await upload({ data });
		expect((await upload({ data })).error?.message).toMatch(/already|duplicate/i);
		expect((await upload({ data }, { bucketId: 'BUCK-9' })).error?.message).toMatch(/bucket/i);
		expect((await upload({ data }, { options: { folderId: 'FOLD-2' } })).error?.message).toMatch(
			/folder/i,
		);
	});

	test('a file that is too large for the service', async () => {
		await sandbox.control('PUT', '/pins', { maxBytes: 1000 });
		const { error } = await upload({ data: buildFileInMemory(randomBytes(2000)) });
		expect(error).toMatchObject({ httpCode: '413' });
		expect(await pins()).toEqual([]);
	});

	test('a missing field, an empty file and bad JSON are refused before anything is sent', async () => {
		const data = buildFileInMemory(Buffer.from('x'));
		expect((await upload({ data }, { binaryPropertyName: 'other' })).error?.message).toMatch(
			/'other'/,
		);
		expect((await upload(undefined)).error?.message).toMatch(/binary/);
		expect((await upload({ data: buildFileInMemory(Buffer.alloc(0)) })).error?.message).toBe(
			"The file in 'data' is empty",
		);
		const json = await pin({ operation: 'uploadJson', json: '{"a":' });
		expect(json.error?.message).toMatch(/^'JSON' must be valid JSON/);
		expect(await sandbox.record()).toEqual([]);
	});
});
