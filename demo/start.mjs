// This script is the entry of `npm start`. Until the packages are installed, it can use only Node itself.
import { installN8n } from './install/install.mjs';
import { isNpmInstalled } from '../tools/npm.mjs';
import { n8nHome, root } from '../tools/paths.mjs';
import { startProgram, stopPrograms } from '../tools/processes.mjs';
import { formatProgress, formatStep, startClock } from '../tools/progress.mjs';
import { formatError } from '../tools/userError.mjs';

let ending;
/** The exit code of a stop. During the start, a stop is a failure; later, it is the normal end. */
let stoppedCode = 130;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		if (!ending && stoppedCode !== 0)
			console.log('Stopping. The next npm start continues from here.');
		void endStart(stoppedCode);
	});
}

try {
	printFirstStart();
	// n8n has its own packages, so it can be installed at the same time as the packages of this repository.
	const installing = installN8n();
	await Promise.race([installPackages(), installing.then(() => new Promise(() => {}))]);
	const { register } = await import('tsx/esm/api');
	register();
	const { runStart: main } = await import('./main.mts');
	await endStart(await main(process.argv.slice(2), installing, () => (stoppedCode = 0)));
} catch (error) {
	// Programs that are being stopped cause errors, which are expected.
	if (!ending) console.error(formatError(error));
	await endStart(1);
}

async function installPackages() {
	// With `--dev`, all packages are installed, because developers need the types. The demo leaves them out.
	const part = process.argv.includes('--dev') ? [] : ['--demo'];
	const elapsed = startClock('packages');
	let lines = 0;
	const onLine = (line) => {
		if (line.trim() === '') return;
		const format = lines++ === 0 ? formatStep : formatProgress;
		console.log(format('packages', line.trim()));
	};
	const script = ['scripts/setup.mjs', ...part];
	const code = await startProgram(process.execPath, script, { cwd: root, onLine }).exited;
	if (code !== 0) await endStart(code);
	if (lines > 0) elapsed();
	else console.log(formatStep('packages', 'The packages of this repository are installed'));
}

/** Prints a note if this is the first start of this clone or on this computer. */
function printFirstStart() {
	if (isNpmInstalled(root) && isNpmInstalled(n8nHome)) return;
	console.log(
		'The first start takes about six minutes and 3 GB of disk. You can stop it with Ctrl-C; the next start continues from there.',
	);
}

function endStart(code) {
	ending ??= stopPrograms().then(() => process.exit(code));
	return ending;
}
