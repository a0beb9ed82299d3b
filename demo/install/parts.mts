import { join } from 'node:path';
import { measureFolder } from '../../tools/installProgress.mjs';
import { dataFolder, n8nHome, packedFolder, root } from '../../tools/paths.mjs';
import { listSteps } from '../../tools/progress.mjs';

/**
 * The folders that each step of the start fills. The database driver has none, because it is a file in n8n's folder.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
	packages: ['', 'demo', 'sandbox', 'grpc', 'signer'].map((folder) =>
		join(root, folder, 'node_modules'),
	),
	n8n: [n8nHome],
	nodes: [packedFolder],
	start: [dataFolder],
};

/** Prints the minutes and the size of each part of the start. A part that existed before has no minutes. */
export function printParts(): void {
	const parts = listSteps().map(({ name, seconds }) => ({
		name,
		minutes: seconds === undefined ? '' : formatMinutes(seconds),
		bytes: (FOLDERS[name] ?? []).reduce((sum, folder) => sum + measureFolder(folder), 0),
	}));
	const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
	const all = { name: 'in all', minutes: formatMinutes(process.uptime()), bytes };
	console.log('\nMinutes and GB of each part. The first three parts run at the same time:');
	for (const { name, minutes, bytes: size } of [...parts, all]) {
		const gigabytes = size === 0 ? '' : (size / 1e9).toFixed(2);
		console.log(`  ${name.padEnd(10)}${minutes.padStart(6)}${gigabytes.padStart(8)}`);
	}
}

const formatMinutes = (seconds: number) => (seconds / 60).toFixed(1);
