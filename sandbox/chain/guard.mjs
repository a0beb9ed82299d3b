/*
 * Runs between the sandbox and anvil, so that anvil ends with the sandbox even if that is killed.
 * Plain JavaScript: compiling TypeScript in one more process would double the start of a chain.
 */
import { spawn } from 'node:child_process';

const [binary, ...options] = process.argv.slice(2);
const anvil = spawn(binary, options, { stdio: ['ignore', 'inherit', 'inherit'] });

const end = () => anvil.kill('SIGKILL');
process.on('disconnect', end);
process.on('SIGTERM', end);
process.on('SIGINT', end);

anvil.on('error', (error) => {
	console.error(`anvil does not start: ${error.message}`);
	process.exit(1);
});
anvil.on('exit', () => process.exit());
