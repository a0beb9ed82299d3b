import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Anvil {
	url: string;
	stop: () => Promise<void>;
}

const mnemonic = 'test test test test test test test test test test test junk';

/** Port 0 lets the system choose: no clash with a neighbour, and anvil prints what it got. */
const options = ['--port', '0', '--chain-id', '31337', '--mnemonic', mnemonic];

export async function startAnvil(): Promise<Anvil> {
	const guard = fork(fileURLToPath(new URL('guard.mjs', import.meta.url)), [binary(), ...options], {
		execArgv: [],
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
	});
	const exited = once(guard, 'exit');
	const url = await addressFrom(guard);
	// What a contract logs is still printed; unread, it would fill the pipe and stop the chain.
	guard.stdout!.resume();
	return {
		url,
		stop: async () => {
			if (guard.connected) guard.disconnect();
			await exited;
		},
	};
}

async function addressFrom({ stdout }: ChildProcess): Promise<string> {
	for await (const line of createInterface({ input: stdout! })) {
		const [, address] = /^Listening on (\S+)$/.exec(line) ?? [];
		if (address) return `http://${address}`;
	}
	throw new Error('anvil ended before it listened');
}

/** The program itself, not its launcher: the launcher would not pass a kill on. */
function binary(): string {
	const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
	const system = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
	const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
	return createRequire(launcher).resolve(`@foundry-rs/anvil-${system}/bin/${file}`);
}
