import { join } from 'node:path';
import { type Installed, startN8n, type N8nServer } from './n8nServer.mts';
import { watchNodes } from './watchNodes.mts';
import { userFolder } from '../../tools/paths.mjs';
import { runProgram } from '../../tools/processes.mjs';

/** A running n8n, which has one or more processes. */
export interface RunningN8n {
	/** The process that runs triggers and serves the editor. */
	main: N8nServer;
	/** Settles if a process of n8n ends unexpectedly. */
	ended: Promise<unknown>;
	stop: () => Promise<void>;
	/** Adds a package to n8n's list of installed packages. */
	register: (description: string) => Promise<void>;
}

export type Engine<Kind extends RunningN8n = RunningN8n> = (
	installed: Installed,
	port: number,
) => Promise<Kind>;

/**
 * The timeout for a check of the database. SQLite answers late only when n8n is busy, and n8n should not refuse
 * requests then.
 */
export const PATIENT_SETTINGS = { DB_PING_TIMEOUT_MS: '60000' };

/**
 * Returns the setting of the expression engine. `EXPRESSION_ENGINE=legacy` evaluates expressions in n8n's own process,
 * as n8n 1 does.
 */
function getExpressionEngine(): Readonly<Record<string, string>> {
	const { EXPRESSION_ENGINE: engine } = process.env;
	return engine ? { N8N_EXPRESSION_ENGINE: engine } : {};
}

/** Runs n8n as most people do: in one process and with SQLite. */
export const oneProcess: Engine = createOneProcess();

/** Runs an n8n for developers of the nodes. It loads a node again as soon as one of its files is saved. */
export const liveReload: Engine = async (installed, port) => {
	await watchNodes();
	return await createOneProcess({ N8N_DEV_RELOAD: 'true' })(installed, port);
};

function createOneProcess(settings: Readonly<Record<string, string>> = {}): Engine {
	return async (installed, port) => {
		const own = { ...PATIENT_SETTINGS, ...getExpressionEngine(), ...settings };
		const main = await startN8n(installed, port, own);
		const script = join(import.meta.dirname, 'registration.mjs');
		const database = join(userFolder, '.n8n', 'database.sqlite');
		return {
			main,
			ended: main.ended,
			stop: main.stop,
			register: async (description) =>
				await runProgram(installed.node, [script, database, description]),
		};
	};
}
