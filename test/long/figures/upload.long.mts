import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';
import { FileHasher } from '../../../nodes/core/ipfs/profiles';
import { IpfsPin } from '../../../nodes/IpfsPin/IpfsPin.node';
import { computePercentile } from '../../../bench/rounds.mts';
import { storeFile } from '../../harness/binary.mts';
import { runNode } from '../../harness/engine.mts';
import { figure } from '../../harness/figure.mts';
import { buildCredentials } from '../../harness/server.mts';

const MEGABYTE = 1_000_000;
const FILE_MEGABYTES = 512;
const LINK_MEGABYTES = 100;
const ROUNDS = 3;

/** Starts the upload service in a process of its own, so that it takes no processor time from the node. */
async function startPlatform() {
	const script = join(__dirname, 'slowPlatform.mjs');
	const child = spawn(process.execPath, [script, String(LINK_MEGABYTES)], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	return { credentials: buildCredentials(url).platform, stop: () => child.stdin.end() };
}

function* buildFile() {
	for (let index = 0; index < FILE_MEGABYTES; index++) yield Buffer.alloc(MEGABYTE, index);
}

test('the CIDs of a file, while it is sent', async () => {
	const { credentials, stop } = await startPlatform();
	const data: IBinaryData = await storeFile(Readable.from(buildFile()));
	const upload = async () => {
		const begun = performance.now();
		const { error } = await runNode({
			node: new IpfsPin(),
			parameters: { operation: 'upload', bucketId: 'BUCK-1', options: {} },
			credentials,
			items: [{ json: {}, binary: { data } }],
		});
		expect(error).toBeUndefined();
		return performance.now() - begun;
	};
	const uploadUnhashed = async () => {
		const update = jest.spyOn(FileHasher.prototype, 'update').mockImplementation(() => {});
		const took = await upload();
		expect(update).toHaveBeenCalled();
		update.mockRestore();
		return took;
	};
	const [hashed, unhashed]: [number[], number[]] = [[], []];
	for (let round = 0; round < ROUNDS; round++) {
		unhashed.push(await uploadUnhashed());
		hashed.push(await upload());
	}
	stop();
	const [own, other] = [hashed, unhashed].map((some) => computePercentile(some, 0.5) / 1000);
	figure(
		`A file of ${FILE_MEGABYTES} MB over a link of ${LINK_MEGABYTES} MB/s: ${own?.toFixed(2)} s with its CIDs, ${other?.toFixed(2)} s without (medians of ${ROUNDS})`,
	);
});
