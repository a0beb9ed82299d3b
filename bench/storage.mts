// Measures the memory of a large pin in queue mode, by the place in which n8n keeps files. Linux only.
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForExecution } from '../demo/examples/run.mts';
import { createQueueEngine, WORKER_NAMES } from '../demo/queue/queueMode.mts';
import { startDemo } from '../demo/run/demo.mts';
import { installN8n } from '../demo/install/install.mjs';
import { dataFolder } from '../tools/paths.mjs';
import { stopPrograms } from '../tools/processes.mjs';
import { measurePeaks, findProcess } from './memory.mts';

const FILE_MEGABYTES = 200;
const START_NODE = 'Run by Hand';
const files = join(dataFolder, 'files');
const [mode = 'filesystem'] = process.argv.slice(2);

const demo = await startDemo({
	engine: createQueueEngine({
		N8N_DEFAULT_BINARY_DATA_MODE: mode,
		N8N_RESTRICT_FILE_ACCESS_TO: files,
	}),
});
try {
	await fetch(`${demo.sandbox.controlUrl}/pins`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ maxBytes: 2 * FILE_MEGABYTES * 2 ** 20 }),
	});
	const id = await savePinWorkflow(await writeLargeFile());
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
	await rm(files, { recursive: true, force: true });
	await demo.stop();
	await stopPrograms();
}

async function writeLargeFile(): Promise<string> {
	await mkdir(files, { recursive: true });
	const file = join(files, 'large.bin');
	const handle = await open(file, 'w');
	for (let count = 0; count < FILE_MEGABYTES; count++)
		await handle.write(Buffer.alloc(2 ** 20, 'n8n'));
	await handle.close();
	return file;
}

/** Saves a workflow that reads a file and pins it. */
async function savePinWorkflow(file: string): Promise<string> {
	const [credential] = await demo.api.ask<Array<{ id: string; name: string }>>(
		'GET',
		`/credentials?filter=${encodeURIComponent('{"type":"chainPlatformApi"}')}`,
	);
	const node = (name: string, type: string, parameters: object, more: object = {}) => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		...more,
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const read = { operation: 'read', fileSelector: file, options: {} };
	const pin = { operation: 'upload', bucketId: 'BUCK-1' };
	return await demo.api.createWorkflow({
		name: 'A large pin',
		nodes: [
			node(START_NODE, 'n8n-nodes-base.manualTrigger', {}),
			node('Read', 'n8n-nodes-base.readWriteFile', read),
			node('Pin', 'n8n-nodes-chain-infra.ipfsPin', pin, {
				credentials: { chainPlatformApi: credential },
			}),
		],
		connections: { [START_NODE]: to('Read'), Read: to('Pin') },
		settings: { executionOrder: 'v1' },
	});
}
