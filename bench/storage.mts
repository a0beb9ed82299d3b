// This script measures the memory that pinning a large file needs in queue mode, for each place where n8n can store
// files. It works only on Linux.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForExecution } from '../demo/examples/run.mts';
import { createQueueEngine, WORKER_NAMES } from '../demo/queue/queueMode.mts';
import { startDemo } from '../demo/run/demo.mts';
import { installN8n } from '../demo/install/install.mjs';
import { dataFolder } from '../tools/paths.mjs';
import { stopPrograms } from '../tools/processes.mjs';
import { filesFolder, writeFileOfSize } from './files.mts';
import { measurePeaks, findProcess } from './memory.mts';
import { ourNode, readFileNode, saveWorkflow, START_NODE } from './workflow.mts';

const FILE_MEGABYTES = 200;
const [mode = 'filesystem'] = process.argv.slice(2);

const demo = await startDemo({
	engine: createQueueEngine({
		N8N_DEFAULT_BINARY_DATA_MODE: mode,
		N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
	}),
});
try {
	await fetch(`${demo.sandbox.controlUrl}/pins`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ maxBytes: 2 * FILE_MEGABYTES * 2 ** 20 }),
	});
	const [credential] = await demo.api.ask<Array<{ id: string; name: string }>>(
		'GET',
		`/credentials?filter=${encodeURIComponent('{"type":"chainPlatformApi"}')}`,
	);
	if (!credential) throw new Error('The demo has no credential for pins');
	const pin = ourNode({ credentials: { chainPlatformApi: credential } }, 'ipfsPin', {
		operation: 'upload',
		bucketId: 'BUCK-1',
	});
	const read = readFileNode(await writeFileOfSize(FILE_MEGABYTES));
	const id = await saveWorkflow(demo, [{}], read, pin);
	const { script } = await installN8n();
	const main = await findProcess(script);
	const workers = await Promise.all(
		WORKER_NAMES.map((name) =>
			findProcess(script, 'worker', join(dataFolder, 'node_modules', name)),
		),
	);
	const peaks = await measurePeaks([main, ...workers], async () => {
		const { status } = await waitForExecution(demo.api, await demo.api.runWorkflow(id, START_NODE));
		if (status !== 'success') throw new Error(`The pin has ended as ${status}`);
	});
	const [mainPeak = 0, ...workerPeaks] = peaks.map((peak) => Math.round(peak));
	console.log(
		`A pin of ${FILE_MEGABYTES} MB, kept in ${mode}: the worker takes ${Math.max(...workerPeaks)} MB over idle, the main process ${mainPeak} MB`,
	);
} finally {
	await rm(filesFolder, { recursive: true, force: true });
	await demo.stop();
	await stopPrograms();
}
