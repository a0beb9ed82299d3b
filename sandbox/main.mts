import { parseArgs } from 'node:util';
import { createSecrets, createXToken } from './http/credentials.mts';
import { startSandbox } from './service.mts';

const { values } = parseArgs({
	options: {
		chain: { type: 'boolean', default: false },
		grpc: { type: 'boolean', default: false },
		'port-base': { type: 'string' },
		'page-size': { type: 'string' },
	},
});

const starting = startSandbox({
	chain: values.chain,
	grpc: values.grpc ? { xToken: createXToken(process.env) } : undefined,
	portBase: parseWholeNumber('port-base'),
	pageSize: parseWholeNumber('page-size'),
	secrets: createSecrets(process.env),
});

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// A parent process that dies closes our stdin, and the sandbox then stops. In a terminal, there is no parent process to
// watch.
if (!process.stdin.isTTY) process.stdin.once('close', stop).resume();

try {
	const { addresses, secrets } = await starting;
	console.log(JSON.stringify({ ...addresses, ...secrets }));
} catch (error) {
	console.error(error);
	process.exit(1);
}

async function stop(): Promise<void> {
	const sandbox = await starting;
	await sandbox.stop();
	process.exit(0);
}

function parseWholeNumber(name: 'port-base' | 'page-size'): number | undefined {
	const text = values[name];
	if (text === undefined) return undefined;
	if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
	throw new Error(`--${name} must be a whole number from 1 to 99999, got "${text}"`);
}
