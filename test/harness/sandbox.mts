import { Agent, request, type Dispatcher } from 'undici';
import { ACCOUNT_PRIVATE_KEY } from './accountKey.mts';
import { startForTests } from './started.mts';

export interface RecordedRequest {
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

interface SandboxAddresses {
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

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

async function sendControl(dispatcher: Dispatcher, method: Method, url: string, body?: object) {
	const response = await request(url, {
		dispatcher,
		method,
		headers: body && { 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	const answer = await response.body.text();
	if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${answer}`);
	return answer === '' ? undefined : (JSON.parse(answer) as unknown);
}

/** The private key of the second account of the test chain, which is public. */
export const TEST_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
export const TEST_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** The seed of the wallet that pays on the sandbox's TON chain. It is public. */
const TON_SECRET = '22'.repeat(32);

/** The credential of an account whose deposit addresses are swept, with the destinations. */
const DEPOSITS = {
	accountPrivateKey: ACCOUNT_PRIVATE_KEY,
	evmDestination: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	witnessDestination: 'TYtYViZFo5xavdy4SixcvuGGbZMwWVV3wL',
	chainIds: '31337',
};

/** The first account of the sandbox's STARK rollup. Its key is public. */
export const STARK_ACCOUNT = {
	privateKey: '0x5f62a2c7701ccba1b833f0891950992fbe6322cffb3663f73df29791b232a2c',
	accountAddress: '0x070688b46be202f23e230d98f2eef5157144414510227d065f68a2cad351300f',
};

/** The rules of the signer's credential for the STARK rollup. */
const STARK_RULES = { chainIds: 'SN_SEPOLIA', maxFee: '100', contracts: '*' };

/** The rules in the credentials of the signer. */
const SIGNER_RULES = {
	chainIds: '31337',
	maxAmount: '1',
	maxFee: '0.05',
	contracts: '*',
	allowMessages: true,
	allowTypedData: true,
	typedDataKinds: ['transferWithAuthorization'],
	tokenLimits: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb 1 6',
	witnessKinds: ['transfer', 'vote'],
	witnessMaxAmount: '100',
};

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts a sandbox on this machine for one test file. */
export async function startSandbox({ chain: withChain = false, grpc: withGrpc = false } = {}) {
	const sandboxes = String(process.env.SANDBOXES);
	// Its connections end with the sandbox, because another sandbox may get the same port later.
	const agent = new Agent();
	const settings = { chain: withChain, grpc: withGrpc };
	const started = await sendControl(agent, 'POST', sandboxes, settings);
	const addresses = started as SandboxAddresses;
	const { platformUrl, nodeUrl, controlUrl, apiKey, authToken, username, password } = addresses;
	const { grpcEndpoint, grpcPlainEndpoint, xToken } = addresses;

	const control = async (method: Method, path: string, body?: object) =>
		await sendControl(agent, method, controlUrl + path, body);

	/** Sends one JSON-RPC call directly to the chain. Methods of test chains, such as anvil_mine, are allowed. */
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
			signerDeposits: { chainSignerDepositsApi: DEPOSITS },
			signerKey: { chainSignerKeyApi: { privateKey: TEST_KEY, ...SIGNER_RULES } },
			signerStark: { chainSignerStarkApi: { ...STARK_ACCOUNT, ...STARK_RULES } },
			signerTon: { chainSignerTonApi: { secret: TON_SECRET, maxAmount: '1' } },
			signerRemote: {
				chainSignerRemoteApi: {
					url: `${nodeUrl}/signer`,
					username,
					password,
					address: TEST_ADDRESS,
					...SIGNER_RULES,
				},
			},
		},
		control,
		fault: async (rule: object) => await control('POST', '/faults', rule),
		record: async () => (await control('GET', '/record')) as RecordedRequest[],
		reset: async () => await control('POST', '/reset'),
		chain,
		/** Sends a transaction from one of the chain's own accounts. Returns its receipt when it is in a block. */
		mined: async (transaction: object) => {
			const hash = await chain('eth_sendTransaction', transaction);
			for (;;) {
				const receipt = await chain('eth_getTransactionReceipt', hash);
				if (receipt) return receipt as { transactionHash: string; contractAddress: string | null };
			}
		},
		stop: async () => {
			await sendControl(agent, 'DELETE', `${sandboxes}?${new URLSearchParams({ controlUrl })}`);
			await agent.close();
		},
	};
}

/** Creates a sandbox for a test file or a group of tests. It is reset before each test. */
export function createSandbox(settings: Parameters<typeof startSandbox>[0] = {}): Sandbox {
	const sandbox = startForTests(async () => await startSandbox(settings));
	beforeEach(async () => await sandbox.reset());
	return sandbox;
}
