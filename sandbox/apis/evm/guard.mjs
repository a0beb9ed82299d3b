/*
 * Runs between the sandbox and its chain, so that the chain ends with the sandbox even if that is killed.
 * Plain JavaScript: compiling TypeScript in one more process would double the start of a chain.
 */
import { spawn } from 'node:child_process';

const [binary, ...options] = process.argv.slice(2);
const chain = spawn(binary, options, { stdio: ['ignore', 'inherit', 'inherit'] });

const killChain = () => chain.kill('SIGKILL');
process.on('disconnect', killChain);
process.on('SIGTERM', killChain);
process.on('SIGINT', killChain);

chain.on('error', (error) => {
	console.error(`The chain does not start: ${error.message}`);
	process.exit(1);
});
chain.on('exit', () => process.exit());
