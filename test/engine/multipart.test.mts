import { randomBytes } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { storeFile } from '../harness/binary.mts';
import { runNode } from '../harness/engine.mts';
import { createTestServer } from '../harness/server.mts';

/** The streaming form relies on details of n8n's HTTP client. When n8n changes its client, this test fails first. */

let receive: (request: IncomingMessage) => Promise<void>;

const server = createTestServer(
	async ({ request }, response) =>
		await receive(request).then(
			() => void response.end('{"id":"PIN-1"}'),
			() => void response.destroy(),
		),
	{ leavesBodies: true },
);
afterEach(() => jest.useRealTimers());

async function upload(data: IBinaryData, options: INodeParameters = {}) {
	return await runNode({
		node: new IpfsPin(),
		parameters: { operation: 'upload', bucketId: 'BUCK-1', options },
		credentials: server.credentials.platform,
		items: [{ json: {}, binary: { data } }],
	});
}

test('the body is a form with the fields in order, the file last, and its exact length is announced', async () => {
	let body = Buffer.alloc(0);
	let headers: IncomingMessage['headers'] = {};
	receive = async (request) => {
		headers = request.headers;
		body = Buffer.concat((await request.toArray()) as Buffer[]);
	};
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
	receive = async (request) => {
		for await (const chunk of request) {
			taken += (chunk as Buffer).length;
			jest.advanceTimersByTime(5);
		}
	};
	const begun = Date.now();
	// The sockets hold a few megabytes, which the server still has to receive when the last piece has been sent.
	const timeout = 3000;
	const { error } = await upload(await storeFile(randomBytes(64_000_000)), { timeout });
	expect(error).toBeUndefined();
	expect(taken).toBeGreaterThan(64_000_000);
	expect(Date.now() - begun).toBeGreaterThan(timeout);
});

test('a stored file that is shorter than n8n says fails instead of hanging', async () => {
	receive = async (request) => {
		await request.toArray();
	};
	const file = await storeFile(randomBytes(5_000_000));
	await truncate(Container.get(BinaryDataService).getPath(String(file.id)), 1_000_000);
	const { error } = await upload(file);
	expect(error?.message).toMatch(
		/not have the size that n8n reports|connection to the service was lost/,
	);
});
