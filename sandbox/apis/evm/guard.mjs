/*
 * Runs between the sandbox and its chains, so that the chains end with the sandbox even if that is killed.
 * Plain JavaScript: compiling TypeScript in one more process would double the start of the first chain.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const chains = new Map();

// A message with a command starts a chain, and one without ends it. The answers are a chain's address, and its end.
process.on('message', ({ id, command, folder, listening }) => {
	if (command) startChain(id, command, folder, new RegExp(listening));
	else chains.get(id)?.kill('SIGKILL');
});

function startChain(id, [program, ...options], folder, listening) {
	const chain = spawn(program, options, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
	chains.set(id, chain);
	const lines = createInterface({ input: chain.stdout });
	lines.on('line', (line) => {
		const [, address] = listening.exec(line) ?? [];
		if (!address) return;
		process.send({ id, address });
		// The program always prints the logs of contracts. If nobody read its output, it would fill the pipe and stop
		// the chain.
		lines.close();
		chain.stdout.resume();
	});
	const reportEnd = () => {
		if (chains.delete(id) && process.connected) process.send({ id });
	};
	chain.on('error', (error) => {
		console.error(`The chain does not start: ${error.message}`);
		reportEnd();
	});
	chain.on('exit', reportEnd);
}

process.on('exit', () => {
	for (const chain of chains.values()) chain.kill('SIGKILL');
});
for (const event of ['disconnect', 'SIGTERM', 'SIGINT']) process.on(event, () => process.exit());
