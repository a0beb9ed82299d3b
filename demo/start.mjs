// Entry of `npm start`. Until the packages are installed it can use nothing but Node itself.
import { n8nHome, root } from './tools/paths.mjs';
import { isPlaced } from './tools/placed.mjs';
import { start, stopAll } from './tools/processes.mjs';
import { numbered } from './tools/progress.mjs';
import { wordsOf } from './tools/trouble.mjs';

let ending;
/** Being stopped is a failure while it starts, and the normal end once it is up. */
let stoppedCode = 130;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		if (!ending && stoppedCode !== 0)
			console.log('Stopping; the next npm start goes on from here.');
		void end(stoppedCode);
	});
}

try {
	await setUp();
	const { register } = await import('tsx/esm/api');
	register();
	const { main } = await import('./main.mts');
	await end(await main(process.argv.slice(2), () => (stoppedCode = 0)));
} catch (error) {
	// What breaks because the programs are being stopped is no news.
	if (!ending) console.error(wordsOf(error));
	await end(1);
}

async function setUp() {
	tellFirstStart();
	let lines = 0;
	const onLine = (line) => console.log(lines++ === 0 ? numbered('packages', line) : line);
	const setup = start(process.execPath, ['scripts/setup.mjs'], { cwd: root, onLine });
	const code = await setup.exited;
	if (code !== 0) await end(code);
	if (lines === 0)
		console.log(numbered('packages', 'The packages of this repository are installed'));
}

/** Of this clone, or on this computer. */
function tellFirstStart() {
	if (isPlaced(root) && isPlaced(n8nHome)) return;
	console.log(
		'A first start takes about ten minutes and 5 GB. Ctrl-C breaks it off; the next one goes on from there.',
	);
}

function end(code) {
	ending ??= stopAll().then(() => process.exit(code));
	return ending;
}
