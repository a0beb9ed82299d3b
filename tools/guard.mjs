// This process runs between the demo and a program. It ends the program and all that the program started when the demo
// ends, even by a kill.
import { spawn } from 'node:child_process';

const GRACE_MS = 15_000;
const isWindows = process.platform === 'win32';
const [command, ...options] = process.argv.slice(2);

const program = spawn(command, options, {
	stdio: ['pipe', 'inherit', 'inherit'],
	// The program gets a process group of its own. Ctrl-C in a terminal does not reach the group, and the group can be
	// killed as a whole.
	detached: !isWindows,
	shell: isWindows && command === 'npm',
});

process.on('disconnect', endProgram);
process.on('message', killGroup);
process.on('SIGTERM', endProgram);
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});

program.on('error', (error) => {
	console.error(`${command} does not start: ${error.message}`);
	process.exit(127);
});
program.on('exit', (code) => {
	if (!isWindows) killGroup();
	process.exit(code ?? 1);
});

function endProgram() {
	if (isWindows) spawn('taskkill', ['/pid', String(program.pid), '/t', '/f']);
	else program.kill('SIGTERM');
	setTimeout(killGroup, GRACE_MS).unref();
}

function killGroup() {
	try {
		process.kill(-program.pid, 'SIGKILL');
	} catch {
		// The call throws if the program and all other processes of its group have ended already.
	}
}
