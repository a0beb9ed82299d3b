import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readdirSync, readlinkSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { storeFile } from '../harness/binary.mts';
import { runNode } from '../harness/engine.mts';
import { createTestServer } from '../harness/server.mts';
import { waitUntil } from '../harness/until.mts';

/** An upload that is given up leaves nothing open: no request, no file. */

let take: (request: IncomingMessage) => void;

const server = createTestServer(
	({ request }) => {
		request.on('error', () => {});
		take(request);
	},
	{ leavesBodies: true },
);

async function upload(bytes: number, options: INodeParameters, stopAfter?: number) {
	const data = await storeFile(randomBytes(bytes));
	return await runNode({
		node: new IpfsPin(),
		parameters: { operation: 'upload', bucketId: 'BUCK-1', options },
		credentials: server.credentials.platform,
		items: [{ json: {}, binary: { data } }],
		stopAfter,
	});
}

/** A server that reads nothing does not notice that its client has gone, so the client's own ends are counted. */
function openRequests(): number {
	const { _getActiveHandles: handles } = process as unknown as {
		_getActiveHandles: () => ReadonlyArray<{ readonly remotePort?: number }>;
	};
	return handles.call(process).filter(({ remotePort }) => remotePort === server.port).length;
}

/** Lists the files of n8n's storage of binary data that this process has open. */
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

test.each<[string, number, (request: IncomingMessage) => void]>([
	['takes nothing', 30_000_000, () => {}],
	['takes the first piece', 30_000_000, (request) => request.once('data', () => request.pause())],
	['takes all of it, and is silent after the last byte', 1000, (request) => request.resume()],
	['takes all of a large file, and is silent then', 30_000_000, (request) => request.resume()],
])('given up, when the server %s', async (_, bytes, taking) => {
	take = taking;
	const { error } = await upload(bytes, { timeout: 400 });
	expect(error?.message).toBe('The service did not answer within 0.4 s');
	expect(error?.description).toMatch(/may still have been carried out/);
	await expectNothingOpen();
});

test('stopped by the user', async () => {
	take = () => {};
	expect((await upload(30_000_000, {}, 300)).status).toBe('canceled');
	await expectNothingOpen();
});

test('cut by the server', async () => {
	take = (request) => request.once('data', () => request.destroy());
	const { error } = await upload(30_000_000, {});
	expect(error?.description).toMatch(/may still have been carried out/);
	await expectNothingOpen();
});
