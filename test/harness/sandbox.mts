import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { join } from 'node:path';
import { request } from 'undici';

const root = join(__dirname, '..', '..');

export interface Seen {
	readonly room: string;
	readonly method: string;
	readonly url: string;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
	readonly calls: number;
	readonly status: number | null;
	readonly at: number;
	readonly endedAt: number | null;
}

interface Addresses {
	readonly platformUrl: string;
	readonly nodeUrl: string;
	readonly controlUrl: string;
	readonly apiKey: string;
	readonly authToken: string;
	readonly username: string;
	readonly password: string;
	readonly grpcEndpoint?: string;
	readonly grpcPlainEndpoint?: string;
	readonly grpcCertificate?: string;
	readonly xToken?: string;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The service on this machine, for one test file. It ends with the test, because its stdin does. */
export async function startSandbox({ chain: withChain = false, grpc: withGrpc = false } = {}) {
	const flags = [...(withChain ? ['--chain'] : []), ...(withGrpc ? ['--grpc'] : [])];
	const script = ['--import', 'tsx', 'sandbox/main.mts', ...flags];
	const child = spawn(process.execPath, script, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
	const lines = createInterface({ input: child.stdout });
	const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [string];
	const addresses = JSON.parse(line) as Addresses;
	const { platformUrl, nodeUrl, controlUrl, apiKey, authToken, username, password } = addresses;
	const { grpcEndpoint, grpcPlainEndpoint, xToken } = addresses;

	async function control(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) {
		const response = await request(controlUrl + path, {
			method,
			headers: body && { 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		const answer = await response.body.text();
		if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${answer}`);
		return answer === '' ? undefined : (JSON.parse(answer) as unknown);
	}

	/** One JSON-RPC call straight to the chain, cheats included. */
	async function chain(method: string, ...params: unknown[]) {
		const call = { jsonrpc: '2.0', id: 1, method, params };
		const { result, error } = (await control('POST', '/chain', call)) as Record<string, unknown>;
		if (error) throw new Error(JSON.stringify(error));
		return result;
	}

	return {
		...addresses,
		credentials: {
			platform: { chainPlatformApi: { baseUrl: platformUrl, apiKey } },
			token: { chainNodeTokenApi: { nodeUrl, authToken } },
			basicAuth: { chainNodeBasicAuthApi: { nodeUrl, username, password } },
			xToken: { chainNodeXTokenApi: { endpoint: grpcEndpoint, xToken, tls: true } },
			xTokenPlain: { chainNodeXTokenApi: { endpoint: grpcPlainEndpoint, xToken, tls: false } },
		},
		control,
		fault: async (rule: object) => await control('POST', '/faults', rule),
		record: async () => (await control('GET', '/record')) as Seen[],
		reset: async () => await control('POST', '/reset'),
		chain,
		/** Sends a transaction from one of the chain's own accounts, and waits until it stands in a block. */
		mined: async (transaction: object) => {
			const hash = await chain('eth_sendTransaction', transaction);
			for (;;) {
				const receipt = await chain('eth_getTransactionReceipt', hash);
				if (receipt) return receipt as { transactionHash: string; contractAddress: string | null };
			}
		},
		stop: async () => {
			child.stdin.end();
			if (child.exitCode === null) await once(child, 'exit');
		},
	};
}
