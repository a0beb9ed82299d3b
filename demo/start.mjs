// Entry of `npm start`. Until the packages are installed it can use only Node itself.
import { n8nHome, root } from '../tools/paths.mjs';
import { isNpmInstalled } from '../tools/installProgress.mjs';
import { startProgram, stopPrograms } from '../tools/processes.mjs';
import { formatStep } from '../tools/progress.mjs';
import { formatError } from '../tools/userError.mjs';

let ending;
/** Being stopped is a failure during the start, and the normal end afterwards. */
let stoppedCode = 130;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		if (!ending && stoppedCode !== 0)
			console.log('Stopping; the next npm start goes on from here.');
		void endStart(stoppedCode);
	});
}

try {
	await installPackages();
	const { register } = await import('tsx/esm/api');
	register();
	const { runStart: main } = await import('./main.mts');
	await endStart(await main(process.argv.slice(2), () => (stoppedCode = 0)));
} catch (error) {
	// Errors of programs that are being stopped are expected.
	if (!ending) console.error(formatError(error));
	await endStart(1);
}

async function installPackages() {
	printFirstStart();
	let lines = 0;
	const onLine = (line) => console.log(lines++ === 0 ? formatStep('packages', line) : line);
	const setup = startProgram(process.execPath, ['scripts/setup.mjs'], { cwd: root, onLine });
	const code = await setup.exited;
	if (code !== 0) await endStart(code);
	if (lines === 0)
		console.log(formatStep('packages', 'The packages of this repository are installed'));
}

/** Prints a note at the first start of this clone, or on this computer. */
function printFirstStart() {
	if (isNpmInstalled(root) && isNpmInstalled(n8nHome)) return;
	console.log(
		'A first start takes about ten minutes and 3.5 GB. Ctrl-C breaks it off; the next one goes on from there.',
	);
}

function endStart(code) {
	ending ??= stopPrograms().then(() => process.exit(code));
	return ending;
}
