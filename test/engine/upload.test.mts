import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { storeFile } from '../harness/binary.mts';
import { runNode } from '../harness/engine.mts';
import { createTestServer } from '../harness/server.mts';
import { waitUntil } from '../harness/until.mts';

/**
 * These tests check the upload of streamed files, which relies on details of n8n's HTTP client. They fail if n8n
 * changes its client.
 */

let take: (request: IncomingMessage, response: ServerResponse) => void;

const server = createTestServer(
	({ request }, response) => {
		request.on('error', () => {});
		take(request, response);
	},
	{ leavesBodies: true },
);
afterEach(() => jest.useRealTimers());

/** Makes the server answer as soon as the function `read` has read the request. */
function receive(read: (request: IncomingMessage) => Promise<unknown>): void {
	take = (request, response) =>
		void read(request).then(
			() => response.end('{"id":"PIN-1"}'),
			() => response.destroy(),
		);
}

async function upload(data: IBinaryData, options: INodeParameters = {}, stopAfter?: number) {
	return await runNode({
		node: new IpfsPin(),
		parameters: { operation: 'upload', bucketId: 'BUCK-1', options },
		credentials: server.credentials.platform,
		items: [{ json: {}, binary: { data } }],
		stopAfter,
	});
}

test('the body is a form with the fields in order, the file last, and its exact length is announced', async () => {
	let body = Buffer.alloc(0);
	let headers: IncomingMessage['headers'] = {};
	receive(async (request) => {
		headers = request.headers;
		body = Buffer.concat((await request.toArray()) as Buffer[]);
	});
	const file = await storeFile(Buffer.from('content'), {
		fileName: 'a.txt',
		mimeType: 'text/plain',
	});
	const { error } = await upload(file, { folderId: 'FOLD-1' });
	expect(error).toBeUndefined();
	const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
	expect(body.toString()).toBe(
		[
			`--${boundary}`,
			'Content-Disposition: form-data; name="bucket_id"',
			'',
			'BUCK-1',
			`--${boundary}`,
			'Content-Disposition: form-data; name="folder_id"',
			'',
			'FOLD-1',
			`--${boundary}`,
			'Content-Disposition: form-data; name="file"; filename="a.txt"',
			'Content-Type: text/plain',
			'',
			'content',
			`--${boundary}--`,
			'',
		].join('\r\n'),
	);
	expect(headers['content-length']).toBe(String(body.length));
	expect(headers['transfer-encoding']).toBeUndefined();
});

test('a server may take its time over the file: the timeout counts silence alone', async () => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
	let taken = 0;
	receive(async (request) => {
		for await (const chunk of request) {
			taken += (chunk as Buffer).length;
			jest.advanceTimersByTime(5);
		}
	});
	const begun = Date.now();
	// When the client has sent everything, a few megabytes are still in the buffers of the sockets. The timeout must be
	// long enough for the server to receive them.
	const timeout = 3000;
	const { error } = await upload(await storeFile(randomBytes(64_000_000)), { timeout });
	expect(error).toBeUndefined();
	expect(taken).toBeGreaterThan(64_000_000);
	expect(Date.now() - begun).toBeGreaterThan(timeout);
});

test('a stored file that is shorter than n8n says fails instead of hanging', async () => {
	receive(async (request) => await request.toArray());
	const file = await storeFile(randomBytes(5_000_000));
	await truncate(Container.get(BinaryDataService).getPath(String(file.id)), 1_000_000);
	const { error } = await upload(file);
	expect(error?.message).toMatch(
		/differs from the size that n8n states|connection to the service was lost/,
	);
});

describe('an upload that ends early leaves no request and no file open:', () => {
	/** Counts the client's open connections. A server that reads nothing would not notice that its client has gone. */
	function openRequests(): number {
		const { _getActiveHandles: handles } = process as unknown as {
			_getActiveHandles: () => ReadonlyArray<{ readonly remotePort?: number }>;
		};
		return handles.call(process).filter(({ remotePort }) => remotePort === server.port).length;
	}

	/** Lists the open files of this process that belong to n8n's storage of binary data. */
	function openFiles(): string[] {
		return readdirSync('/proc/self/fd').flatMap((fd) => {
			try {
				const path = readlinkSync(`/proc/self/fd/${fd}`);
				return path.includes('binary_data') ? [path] : [];
			} catch {
				return [];
			}
		});
	}

	async function expectNothingOpen() {
		await waitUntil(() => openRequests() === 0 && openFiles().length === 0);
	}

	const buildLargeFile = async () => await storeFile(randomBytes(30_000_000));

	test.each<[string, number, (request: IncomingMessage) => void]>([
		['takes nothing', 30_000_000, () => {}],
		['takes the first piece', 30_000_000, (request) => request.once('data', () => request.pause())],
		['takes all of it, and is silent after the last byte', 1000, (request) => request.resume()],
		['takes all of a large file, and is silent then', 30_000_000, (request) => request.resume()],
	])('given up, when the server %s', async (_, bytes, taking) => {
		take = taking;
		const { error } = await upload(await storeFile(randomBytes(bytes)), { timeout: 400 });
		expect(error?.message).toBe('The service did not answer within 0.4 s');
		expect(error?.description).toMatch(/may still have been carried out/);
		await expectNothingOpen();
	});

	test('stopped by the user', async () => {
		take = () => {};
		expect((await upload(await buildLargeFile(), {}, 300)).status).toBe('canceled');
		await expectNothingOpen();
	});

	test('cut by the server', async () => {
		take = (request) => request.once('data', () => request.destroy());
		const { error } = await upload(await buildLargeFile());
		expect(error?.description).toMatch(/may still have been carried out/);
		await expectNothingOpen();
	});
});
