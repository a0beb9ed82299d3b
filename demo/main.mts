import { parseArgs } from 'node:util';
import { createQueueEngine } from './queue/queueMode.mts';
import { startDemo, type Demo } from './run/demo.mts';
import { printParts } from './install/parts.mts';
import { openAutoLogin } from './run/autoLogin.mts';
import type { Installed } from './run/n8nServer.mts';
import { type Engine, liveReload, oneProcess } from './run/oneProcess.mts';
import { logFile } from '../tools/paths.mjs';
import { keepTransferring } from './service/chain.mts';
import { keepPayingShop } from './service/ton.mts';
import { type Result, runExamples } from './examples/run.mts';
import { saveStartPage } from './examples/startPage.mts';
import { printTable } from './examples/table.mts';
import { listValuesToTry } from './examples/valuesToTry.mts';
import { UserError } from '../tools/userError.mjs';

/** Runs the whole `npm start`. Returns the exit code. */
export async function runStart(
	args: readonly string[],
	installing: Promise<Installed>,
	onUp: () => void,
): Promise<number> {
	const { port, once, engine } = parseArguments(args);
	const demo = await startDemo({ port, engine, installing });
	const results = await runExamples(demo);
	printTable(results);
	const isGood = results.every(({ outcome }) => outcome !== 'failed');
	if (once) {
		printParts();
		return isGood ? 0 : 1;
	}
	onUp();
	keepPayingShop(demo.ton);
	keepTransferring(demo.chain);
	await printAddresses(demo, results);
	await demo.ended;
	throw new UserError(`n8n or the sandbox stopped unexpectedly. The reason may be in ${logFile}.`);
}

/** Prints the addresses. The start page comes first, and opens without a login. */
async function printAddresses(demo: Demo, results: readonly Result[]): Promise<void> {
	const { url, login, api } = demo;
	const workflows = results.flatMap(({ workflow }) => workflow ?? []);
	const autoLogin = await openAutoLogin(url, login, await saveStartPage(api, workflows));
	console.log(`
Open this address in a browser. The page says which example to run first, and needs no login:

    ${autoLogin.url}

All examples:     ${url}/home/workflows
Login:            ${login.email} with the password ${login.password}
Log of n8n:       ${logFile}
In a container:   docker compose --file compose.single.yaml up --build (docs/scaling.md says more)

${await listValuesToTry(demo)}

Ctrl-C stops n8n and the sandbox. After that, npm run reset deletes their data.`);
}

function parseArguments(args: readonly string[]) {
	const flag = { type: 'boolean', default: false } as const;
	const options = { port: { type: 'string' }, once: flag, queue: flag, dev: flag } as const;
	try {
		const { values } = parseArgs({ args: [...args], options });
		const { port, once } = values;
		return {
			once,
			port: port === undefined ? undefined : parsePort(port),
			engine: chooseEngine(values),
		};
	} catch (error) {
		if (error instanceof UserError) throw error;
		throw new UserError(
			`${(error as Error).message.split('. ')[0]}. The options are --dev, --once, --port and --queue.`,
		);
	}
}

function chooseEngine({ queue, dev }: { queue: boolean; dev: boolean }): Engine {
	if (queue && dev) throw new UserError('--dev and --queue cannot be used together.');
	if (queue) return createQueueEngine();
	return dev ? liveReload : oneProcess;
}

function parsePort(text: string): number {
	const number = Number(text);
	if (/^\d+$/.test(text) && number > 0 && number < 65_536) return number;
	throw new UserError(`--port must be a number from 1 to 65535; got ${text}.`);
}
