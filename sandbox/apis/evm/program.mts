import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A chain that runs in a process of its own. */
interface ChainProcess {
	url: string;
	/** The prefix of the program's cheat methods. For anvil, it is `anvil_`. */
	cheats: string;
	stop: () => Promise<void>;
}

interface Program {
	command: string[];
	folder?: string;
	listening: RegExp;
	cheats: string;
}

const MNEMONIC = 'test test test test test test test test test test test junk';

/** What the guard reports of a chain: its address, or its end. */
interface Report {
	id: number;
	address?: string;
}

/** The process between this process and its chains (`guard.mjs`). */
interface Guard {
	child: ChildProcess;
	/** For each chain, the events `address of` and `end of`, each with its id. */
	reports: EventEmitter;
	/** The ids of the chains that have not ended. */
	chains: Set<number>;
}

/** One guard for all chains, because starting a guard takes longer than starting a chain. */
let guard: Guard | undefined;
let chainCount = 0;

/** Starts anvil, or hardhat where `SANDBOX_HARDHAT` names the folder that it is installed in (`npm run test:foreign`). */
export async function startProgram(): Promise<ChainProcess> {
	const home = process.env.SANDBOX_HARDHAT;
	const { listening, cheats, ...program } = home ? buildHardhat(home) : buildAnvil();
	const { child, reports, chains } = (guard ??= startGuard());
	const id = chainCount++;
	chains.add(id);
	const ended = once(reports, `end of ${id}`);
	const listens = once(reports, `address of ${id}`);
	child.send({ id, ...program, listening: listening.source });
	const [address] = (await Promise.race([listens, ended])) as [string?];
	if (!address) throw new Error('The chain ended before it listened');
	return {
		url: `http://${address}`,
		cheats,
		stop: async () => {
			if (child.connected) child.send({ id });
			await ended;
		},
	};
}

/** Starts a guard, which ends with its last chain. */
function startGuard(): Guard {
	const script = fileURLToPath(new URL('guard.mjs', import.meta.url));
	const child = fork(script, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
	// Node warns of ten listeners, and there are some for each chain.
	const reports = new EventEmitter().setMaxListeners(0);
	const chains = new Set<number>();
	const reportEnd = (id: number) => {
		chains.delete(id);
		reports.emit(`end of ${id}`);
		if (chains.size > 0) return;
		if (guard?.child === child) guard = undefined;
		if (child.connected) child.disconnect();
	};
	child.on('message', ({ id, address }: Report) => {
		if (address) reports.emit(`address of ${id}`, address);
		else reportEnd(id);
	});
	const reportAllEnds = () => chains.forEach(reportEnd);
	child.on('error', reportAllEnds);
	child.once('exit', reportAllEnds);
	return { child, reports, chains };
}

/** Builds the command for anvil. With port 0 the system chooses a free port, and the program prints it. */
function buildAnvil(): Program {
	const options = ['--port', '0', '--chain-id', '31337', '--mnemonic', MNEMONIC];
	return {
		// By default, anvil writes old states into the user's home: gigabytes in a run of all tests, which nobody deletes.
		command: [findAnvilBinary(), ...options, '--max-persisted-states', '0'],
		listening: /^Listening on (\S+)$/,
		cheats: 'anvil_',
	};
}

const LOOPBACK_OPTIONS = ['--hostname', '127.0.0.1', '--port', '0'];

/** Hardhat has the same accounts and the same chain id as anvil by default. */
function buildHardhat(folder: string): Program {
	const script = join(folder, 'node_modules', 'hardhat', 'dist', 'src', 'cli.js');
	const node = process.env.SANDBOX_HARDHAT_NODE ?? process.execPath;
	return {
		command: [node, script, '--config', 'hardhat.config.mjs', 'node', ...LOOPBACK_OPTIONS],
		folder,
		listening: /JSON-RPC server at http:\/\/([^/]+)/,
		cheats: 'hardhat_',
	};
}

/** Finds the program itself instead of its launcher, because the launcher does not pass the end signal on. */
function findAnvilBinary(): string {
	const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
	const system = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
	const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
	return createRequire(launcher).resolve(`@foundry-rs/anvil-${system}/bin/${file}`);
}
