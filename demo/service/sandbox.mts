import { root } from '../../tools/paths.mjs';
import { startProgram } from '../../tools/processes.mjs';

interface SandboxAddresses {
	platformUrl: string;
	nodeUrl: string;
	controlUrl: string;
	apiKey: string;
	authToken: string;
	username: string;
	password: string;
	grpcEndpoint: string;
	xToken: string;
	grpcCertificate: string;
}

export interface Sandbox extends SandboxAddresses {
	/** Sends one JSON-RPC call directly to the chain. */
	chain: (method: string, ...params: unknown[]) => Promise<unknown>;
	/** Sends a transaction from one of the chain's own accounts. When it returns, the transaction is in a block. */
	mine: (transaction: object) => Promise<Receipt>;
	exited: Promise<number>;
	stop: () => Promise<void>;
}

interface Receipt {
	transactionHash: string;
	contractAddress: string | null;
	blockNumber: string;
}

/** Starts the sandbox on this machine with a real chain. */
export async function startSandbox(): Promise<Sandbox> {
	let resolveLine: (line: string) => void = () => {};
	const firstLine = new Promise<string>((resolve) => (resolveLine = resolve));
	const script = ['--import', 'tsx', 'sandbox/main.mts', '--chain', '--grpc'];
	const program = startProgram(process.execPath, script, {
		cwd: root,
		onLine: (line) => resolveLine(line),
	});
	const line = await Promise.race([
		firstLine.then((first) => (first.startsWith('{') ? first : undefined)),
		program.exited.then(() => undefined),
	]);
	if (!line) throw new Error(`The sandbox does not start\n${program.output.join('\n')}`);
	const addresses = JSON.parse(line) as SandboxAddresses;
	const chain = createChainCall(addresses.controlUrl);
	return {
		...addresses,
		chain,
		mine: async (transaction) => {
			const hash = await chain('eth_sendTransaction', transaction);
			for (;;) {
				const receipt = await chain('eth_getTransactionReceipt', hash);
				if (receipt) return receipt as Receipt;
			}
		},
		exited: program.exited,
		stop: program.stop,
	};
}

function createChainCall(controlUrl: string): Sandbox['chain'] {
	return async (method, ...params) => {
		const answer = await fetch(`${controlUrl}/chain`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
		});
		const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown };
		if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
		return result;
	};
}
