import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createPublicClient, createWalletClient, custom, publicActions, type Hex } from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { ChainSignerKeyApi } from '../../signer/credentials/ChainSignerKeyApi.credentials';
import { Signer } from '../../signer/nodes/Signer/Signer.node';
import { MNEMONIC } from '../cases/case.mts';
import { deployDollar, type Dollar } from '../harness/dollars.mts';
import { runNode } from '../harness/engine.mts';
import { createSandbox, TEST_ADDRESS, TEST_KEY } from '../harness/sandbox.mts';
import { createTestServer, type ReceivedRequest } from '../harness/server.mts';

/**
 * The x402 client and server from npm are tested with the nodes of this package. The nodes run in n8n's engine behind
 * the servers of this file.
 */

const load = createRequire(join(process.env.FOREIGN_MODULES ?? '', 'x402.cjs'));

interface Facilitated {
	verify(payload: object, requirements: object): Promise<{ isValid: boolean }>;
	settle(payload: object, requirements: object): Promise<{ success: boolean }>;
}

type Made = new (
	...given: unknown[]
) => Facilitated & Record<string, (...given: never[]) => unknown>;

const { wrapFetchWithPayment, x402Client } = load('@x402/fetch') as {
	wrapFetchWithPayment: (fetching: typeof fetch, client: unknown) => typeof fetch;
	x402Client: new () => {
		register(network: string, scheme: object): void;
		registerV1(network: string, scheme: object): void;
		setSpendControls(controls: false): void;
	};
};
const { ExactEvmScheme: ClientScheme } = load('@x402/evm') as { ExactEvmScheme: Made };
const { ExactEvmSchemeV1: FirstClientScheme } = load('@x402/evm/v1') as { ExactEvmSchemeV1: Made };
const { ExactEvmScheme: ServerScheme } = load('@x402/evm/exact/server') as { ExactEvmScheme: Made };
const { ExactEvmScheme: Facilitator } = load('@x402/evm/exact/facilitator') as {
	ExactEvmScheme: Made;
};
const { ExactEvmSchemeV1: FirstFacilitator } = load('@x402/evm/exact/v1/facilitator') as {
	ExactEvmSchemeV1: Made;
};
const { paymentMiddleware, x402ResourceServer } = load('@x402/express') as {
	paymentMiddleware: (routes: object, server: unknown) => unknown;
	x402ResourceServer: new (facilitator: object) => {
		register(network: string, scheme: object): object;
	};
};
const express = load('express') as () => {
	use(middleware: unknown): void;
	get(
		path: string,
		answer: (request: unknown, response: { json(body: object): void }) => void,
	): void;
	listen(port: number, host: string): import('node:http').Server;
};

const sandbox = createSandbox({ chain: true });
const relayer = privateKeyToAccount(TEST_KEY);
const stockBuyer = mnemonicToAccount(MNEMONIC, { addressIndex: 5 });
const SELLER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const PRICE = 10_000n;

let dollar: Dollar;
let namedDollar: Dollar;
beforeAll(async () => {
	dollar = await deployDollar(sandbox);
	namedDollar = await deployDollar(sandbox, 'NamedChainDollar');
	for (const token of [dollar, namedDollar]) {
		await token.give(stockBuyer.address, 10n * PRICE);
		await token.give(TEST_ADDRESS, 10n * PRICE);
	}
});

/**
 * A fake chain node that reports the ID of a chain for which version 1 of x402 has a name. All other answers come
 * from the sandbox's chain.
 */
const namedNode = createTestServer(async ({ json }, response) => {
	const answer = async ({
		id,
		method,
		params,
	}: {
		id: number;
		method: string;
		params: unknown[];
	}) => {
		try {
			const result = method === 'eth_chainId' ? '0x14a34' : await sandbox.chain(method, ...params);
			return { jsonrpc: '2.0', id, result };
		} catch (error) {
			return { jsonrpc: '2.0', id, error: JSON.parse((error as Error).message) as object };
		}
	};
	const isBatch = Array.isArray(json);
	const answers = await Promise.all([json].flat().map(async (one) => await answer(one as never)));
	response.end(JSON.stringify(isBatch ? answers : answers[0]));
});

/** The differences between the two versions of the x402 protocol. */
const VERSIONS = {
	1: {
		dollar: () => namedDollar,
		chainId: 84532,
		credentials: () => namedNode.credentials.token,
		networks: ['base-sepolia'],
	},
	2: {
		dollar: () => dollar,
		chainId: 31337,
		credentials: () => sandbox.credentials.token,
		networks: ['eip155:31337'],
	},
} as const;
type Version = (typeof VERSIONS)[1 | 2];

async function evm({ credentials }: Version, parameters: INodeParameters): Promise<IDataObject> {
	const run = await runNode({
		node: new EvmRpc(),
		parameters,
		credentials: credentials() as never,
	});
	if (run.error) throw run.error;
	return run.items[0]!.json;
}

async function sign({ chainId, dollar: token }: Version, parameters: INodeParameters) {
	const rules = {
		chainIds: `31337, ${chainId}`,
		maxFee: '1',
		contracts: '*',
		tokenLimits: `${token().address} 0.01 6`,
		typedDataKinds: ['transferWithAuthorization'],
	};
	const run = await runNode({
		node: new Signer(),
		parameters: { authentication: 'key', operation: 'sign', ...parameters },
		credentials: { chainSignerKeyApi: { privateKey: TEST_KEY, ...rules } },
		credentialTypes: [new ChainSignerKeyApi()],
	});
	if (run.error) throw run.error;
	return run.items[0]!.json;
}

/** Creates a shop that sells as the example does: it requires a payment, verifies it, settles it, and answers. */
function createShop(version: 1 | 2) {
	const used = VERSIONS[version];
	return createTestServer(async ({ request }: ReceivedRequest, response) => {
		const price = {
			token: used.dollar().address,
			to: SELLER,
			amount: '0.01',
			resourceUrl: 'http://127.0.0.1/answer',
		};
		const httpPayment = async (operation: string, more: INodeParameters) =>
			await evm(used, { resource: 'httpPayment', operation, ...more });
		const payment = String(
			request.headers['payment-signature'] ?? request.headers['x-payment'] ?? '',
		);
		const verified = await httpPayment('verify', { payment, ...price });
		if (verified.isValid !== true) {
			const { statusCode, headers, body } = await httpPayment('require', price);
			const all = version === 2 ? (headers as Record<string, string>) : {};
			response.writeHead(Number(statusCode), { 'content-type': 'application/json', ...all });
			response.end(JSON.stringify(body));
			return;
		}
		const transactionHash = await settle(verified);
		const payer = String(verified.payer);
		const { headers } = await httpPayment('respond', { transactionHash, payer });
		response.writeHead(200, headers as Record<string, string>);
		response.end('{"answer":42}');
	});

	/** Settles a payment on the sandbox's own chain with a transaction of the relayer. */
	async function settle({ authorization, signature }: IDataObject): Promise<string> {
		const prepared = await evm(used, {
			resource: 'transaction',
			operation: 'prepare',
			kind: 'authorization',
			from: relayer.address,
			authorization: JSON.stringify(authorization),
			signature: String(signature),
			token: used.dollar().address,
		});
		const { data, gas } = prepared.transaction as Record<string, string>;
		const sent = { from: used.dollar().owner, to: used.dollar().address, data, gas };
		return (await sandbox.mined(sent)).transactionHash;
	}
}

describe.each([2, 1] as const)('the stock client pays in version %i', (version) => {
	const shop = createShop(version);

	test('and gets the answer with its receipt', async () => {
		const { networks, dollar: token } = VERSIONS[version];
		const client = new x402Client();
		for (const network of networks) {
			if (version === 2) client.register(network, new ClientScheme(stockBuyer));
			else client.registerV1(network, new FirstClientScheme(stockBuyer));
		}
		client.setSpendControls(false);
		const before = await token().readBalance(SELLER);
		const response = await wrapFetchWithPayment(fetch, client)(`${shop.url}/answer`);
		expect([response.status, await response.json()]).toEqual([200, { answer: 42 }]);
		expect((await token().readBalance(SELLER)) - before).toBe(PRICE);
		const name = version === 2 ? 'payment-response' : 'x-payment-response';
		const receipt = Buffer.from(response.headers.get(name) ?? '', 'base64').toString();
		expect(JSON.parse(receipt)).toMatchObject({
			success: true,
			network: networks[0],
			payer: stockBuyer.address,
		});
	});
});

/** Creates the signer that the facilitator from npm uses for its reads and transactions. */
function createFacilitatorSigner(token: Dollar) {
	const transport = custom({
		request: async ({ method, params }) => await sandbox.chain(method, ...((params ?? []) as [])),
	});
	const chain = {
		id: 31337,
		name: 'Sandbox',
		nativeCurrency: { name: 'Coin', symbol: 'C', decimals: 18 },
		rpcUrls: { default: { http: [] } },
	};
	const reader = createPublicClient({ chain, transport, pollingInterval: 50 });
	const account = mnemonicToAccount(MNEMONIC, { addressIndex: 6 });
	const writer = createWalletClient({ account, chain, transport }).extend(publicActions);
	return {
		getAddresses: () => [account.address],
		readContract: async (given: object) => await reader.readContract(given as never),
		verifyTypedData: async (given: object) => await reader.verifyTypedData(given as never),
		writeContract: async (given: object) => await writer.writeContract(given as never),
		sendTransaction: async (given: object) => await writer.sendTransaction(given as never),
		waitForTransactionReceipt: async (given: { hash: Hex }) =>
			await reader.waitForTransactionReceipt(given),
		getCode: async (given: { address: Hex }) => await reader.getCode(given),
		token,
	};
}

test('the stock server is paid by Sign, and settles', async () => {
	const used = VERSIONS[2];
	const scheme = new Facilitator(createFacilitatorSigner(dollar));
	const server = new x402ResourceServer({
		verify: async (payload: object, requirements: object) =>
			await scheme.verify(payload, requirements),
		settle: async (payload: object, requirements: object) =>
			await scheme.settle(payload, requirements),
		getSupported: async () =>
			await Promise.resolve({
				kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:31337' }],
				extensions: [],
				signers: {},
			}),
	});
	server.register('eip155:31337', new ServerScheme());
	const extra = { name: 'Test Dollar', version: '2' };
	const price = { asset: dollar.address, amount: String(PRICE), extra };
	const accepts = { scheme: 'exact', network: 'eip155:31337', price, payTo: SELLER };
	const app = express();
	app.use(paymentMiddleware({ 'GET /answer': { accepts, description: 'An answer' } }, server));
	app.get('/answer', (_, response) => response.json({ answer: 42 }));
	const http = app.listen(0, '127.0.0.1');
	try {
		await new Promise((resolve) => http.once('listening', resolve));
		const url = `http://127.0.0.1:${(http.address() as { port: number }).port}/answer`;
		const asked = await fetch(url);
		expect(asked.status).toBe(402);
		const paymentRequired = asked.headers.get('payment-required') ?? '';
		const { headers } = await sign(used, { resource: 'httpPayment', paymentRequired });
		const before = await dollar.readBalance(SELLER);
		const answer = await fetch(url, { headers: headers as Record<string, string> });
		expect([answer.status, await answer.json()]).toEqual([200, { answer: 42 }]);
		expect((await dollar.readBalance(SELLER)) - before).toBe(PRICE);
		const again = await fetch(url, { headers: headers as Record<string, string> });
		expect(again.status).toBe(402);
	} finally {
		http.close();
	}
});

test('the stock facilitator of version 1 takes what Sign signs', async () => {
	const offer = {
		scheme: 'exact',
		network: 'base-sepolia',
		maxAmountRequired: String(PRICE),
		resource: 'http://127.0.0.1/answer',
		description: '',
		mimeType: '',
		payTo: SELLER,
		maxTimeoutSeconds: 60,
		asset: namedDollar.address,
		extra: { name: 'Test Dollar', version: '2' },
	};
	const required = { x402Version: 1, error: 'X-PAYMENT header is required', accepts: [offer] };
	const { headers } = await sign(VERSIONS[1], {
		resource: 'httpPayment',
		paymentRequired: JSON.stringify(required),
	});
	const header = (headers as Record<string, string>)['X-PAYMENT']!;
	const payload = JSON.parse(Buffer.from(header, 'base64').toString()) as object;
	const facilitator = new FirstFacilitator(createFacilitatorSigner(namedDollar));
	expect(await facilitator.verify(payload, offer)).toMatchObject({ isValid: true });
	const before = await namedDollar.readBalance(SELLER);
	expect(await facilitator.settle(payload, offer)).toMatchObject({ success: true });
	expect((await namedDollar.readBalance(SELLER)) - before).toBe(PRICE);
});
