import { Readable } from 'node:stream';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { storeFile } from '../harness/binary.mts';
import { runNode } from '../harness/engine.mts';
import { figure } from './figure.mts';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';

const MB = 1024 * 1024;

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
	await sandbox.control('PUT', '/pins', { maxBytes: 1024 * MB });
	await peakGrowth(1);
});
afterAll(async () => await sandbox.stop());

/** Measures by how many MB the peak of this process's memory grows while a file of this many MB is stored and pinned. */
async function peakGrowth(size: number): Promise<number> {
	const before = process.memoryUsage.rss();
	const data = await storeFile(Readable.from(megabytes(size)), { fileName: `${size}.bin` });
	let peak = before;
	const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
	const { items, error } = await runNode({
		node: new IpfsPin(),
		parameters: { operation: 'upload', bucketId: 'BUCK-1' },
		credentials: sandbox.credentials.platform,
		items: [{ json: {}, binary: { data } }],
	});
	clearInterval(watch);
	expect(error).toBeUndefined();
	expect(items[0]?.json.size).toBe(size * MB);
	return (peak - before) / MB;
}

/** Each file differs from the others, because a duplicate is refused. */
function* megabytes(count: number) {
	for (let index = 0; index < count; index++) yield Buffer.alloc(MB, `${count} ${index}`);
}

test.each([64, 512])(
	'a file of %i MB is pinned without being held in memory',
	async (size) => {
		const growth = await peakGrowth(size);
		figure(`${size} MB pinned: memory grew by ${growth.toFixed(0)} MB at its peak`);
	},
	120_000,
);
