import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** Starts anvil, or hardhat where `SANDBOX_HARDHAT` names the folder that it is installed in (`npm run test:foreign`). */
export async function startProgram(): Promise<ChainProcess> {
	const home = process.env.SANDBOX_HARDHAT;
	const { command, folder, listening, cheats } = home ? buildHardhat(home) : buildAnvil();
	const guard = fork(fileURLToPath(new URL('guard.mjs', import.meta.url)), command, {
		...(folder && { cwd: folder }),
		execArgv: [],
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
	});
	const exited = once(guard, 'exit');
	const url = await findAddress(guard, listening);
	// The program always prints the logs of contracts. If nobody read its output, it would fill the pipe and stop
	// the chain.
	guard.stdout!.resume();
	return {
		url,
		cheats,
		stop: async () => {
			if (guard.connected) guard.disconnect();
			await exited;
		},
	};
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

async function findAddress({ stdout }: ChildProcess, listening: RegExp): Promise<string> {
	for await (const line of createInterface({ input: stdout! })) {
		const [, address] = listening.exec(line) ?? [];
		if (address) return `http://${address}`;
	}
	throw new Error('The chain ended before it listened');
}

/** Finds the program itself instead of its launcher, because the launcher does not pass the end signal on. */
function findAnvilBinary(): string {
	const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
	const system = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
	const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
	return createRequire(launcher).resolve(`@foundry-rs/anvil-${system}/bin/${file}`);
}
