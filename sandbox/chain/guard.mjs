/*
 * Runs between the sandbox and its chain, so that the chain ends with the sandbox even if that is killed.
 * Plain JavaScript: compiling TypeScript in one more process would double the start of a chain.
 */
import { spawn } from 'node:child_process';

const [binary, ...options] = process.argv.slice(2);
const chain = spawn(binary, options, { stdio: ['ignore', 'inherit', 'inherit'] });

const end = () => chain.kill('SIGKILL');
process.on('disconnect', end);
process.on('SIGTERM', end);
process.on('SIGINT', end);

chain.on('error', (error) => {
	console.error(`The chain does not start: ${error.message}`);
	process.exit(1);
});
chain.on('exit', () => process.exit());
