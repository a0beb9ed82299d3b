import type { ServerResponse } from 'node:http';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { runNode } from '../harness/engine.mts';
import { collectGarbage } from '../harness/garbage.mts';
import { buildLargeFile, MEGABYTE, sendChunks } from '../harness/largeIpfsFile.mts';
import { createTestServer } from '../harness/server.mts';

const CHUNKS = 300;
const file = buildLargeFile(CHUNKS);

let serve: (response: ServerResponse) => Promise<void>;
const server = createTestServer(async (_, response) => await serve(response));

/** Makes n8n store files on the disk. By default in tests, n8n keeps them in memory. */
beforeAll(async () => await Container.get(BinaryDataService).init());

test('a large file passes into the storage of n8n in constant memory', async () => {
	let most = 0;
	collectGarbage();
	const before = process.memoryUsage().arrayBuffers;
	// Collects garbage only at every 40th frame, because a collection can take seconds in jest's large heap.
	const buildMeasuredFrame = (index: number) => {
		if (index % 40 === 39) {
			collectGarbage();
			most = Math.max(most, process.memoryUsage().arrayBuffers - before);
		}
		return file.buildFrame(index);
	};
	serve = async (response) => {
		await sendChunks(response, CHUNKS, { ...file, buildFrame: buildMeasuredFrame });
		response.end();
	};
	const { items, error } = await runNode({
		node: new IpfsPin(),
		parameters: {
			operation: 'download',
			cid: file.cid,
			gateway: server.url,
			options: { maxSize: 400 },
		},
		credentials: server.credentials.platform,
	});
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ size: CHUNKS * MEGABYTE, verified: true });
	const id = String(items[0]?.binary?.data?.id);
	const stored = await Container.get(BinaryDataService).getMetadata(id);
	expect(stored.fileSize).toBe(CHUNKS * MEGABYTE);
	const stream = await Container.get(BinaryDataService).getAsStream(id, MEGABYTE);
	const [first] = (await stream.take(1).toArray()) as Buffer[];
	expect(first?.equals(file.buildChunk(0))).toBe(true);
	expect(most).toBeLessThan((CHUNKS / 2) * MEGABYTE);
}, 120_000);
