import type { IDataObject } from 'n8n-workflow';
import { concat, formatUnits, getAddress, keccak256, pad, toHex, type Hex } from 'viem';
import { generatePrivateKey, mnemonicToAccount } from 'viem/accounts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { deployContract } from '../harness/contract.mts';
import { openExample } from '../harness/exampleWorkflow.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** These tests check that a payment is answered only once, even if several requests carry it at the same moment. */

const MNEMONIC = 'test test test test test test test test test test test junk';
/** The first account of the chain deploys the token, and has all of its supply. */
const buyer = mnemonicToAccount(MNEMONIC, { addressIndex: 0 });
const relayer = mnemonicToAccount(MNEMONIC, { addressIndex: 4 });
const SELLER: Hex = '0x00000000000000000000000000000000000a11ce';
const PRICE = 10_000n;

const sandbox = createSandbox({ chain: true });
let token: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => {
	token = await deployContract(sandbox, 'Dollar', { file: '../../demo/service/contracts/Demo' });
});

/** Creates a signer that waits until the given number of executions have prepared a transaction. */
function createSigner(count: number) {
	let arrived = 0;
	let open: () => void = () => {};
	const gate = new Promise<void>((resolve) => (open = resolve));
	return async ({ to, ...rest }: Record<string, Hex>): Promise<IDataObject> => {
		if (++arrived >= count) open();
		await gate;
		const numbers = Object.entries(rest).filter(([name]) => name !== 'data' && name !== 'from');
		const signedTransaction = await relayer.signTransaction({
			...Object.fromEntries(numbers.map(([name, value]) => [name, BigInt(value)])),
			data: rest.data,
			type: 'eip1559',
			to,
			chainId: Number(rest.chainId),
			nonce: Number(rest.nonce),
		} as never);
		return { signedTransaction, transactionHash: keccak256(signedTransaction) };
	};
}

type Stage = Parameters<typeof openExample>[1];

/** Opens the example workflow. The function `ask` sends a request with a payment. */
function openShop(signers: number, more: Partial<Stage> = {}, price = PRICE) {
	const signIt = createSigner(signers);
	const example = openExample('sell-an-answer', {
		own: { 'n8n-nodes-chain-infra.evmRpc': new EvmRpc() },
		credentials: sandbox.credentials.token,
		sign: async (transaction) => await signIt(transaction as Record<string, Hex>),
		...more,
	});
	const settings = {
		token: token.address,
		price: formatUnits(price, 6),
		description: 'An answer',
		payTo: SELLER,
		from: relayer.address,
		table: 'Authorizations over HTTP',
	};
	const ask = async (payment?: string) => {
		const headers = payment === undefined ? {} : { 'x-payment': payment };
		const request = { headers, webhookUrl: 'http://127.0.0.1/webhook/sell-an-answer' };
		return await example.ask(settings, request);
	};
	return { table: example.table, ask };
}

interface Signing {
	readonly value?: bigint;
	readonly to?: Hex;
	/** The fields of the signature's domain that are changed. */
	readonly domain?: object;
	/** Parts of the authorization that differ from the signed parts. */
	readonly told?: object;
}

/** Signs a payment for one answer. */
async function pay({ value = PRICE, to = SELLER, domain, told }: Signing = {}): Promise<string> {
	const message = {
		from: buyer.address,
		to,
		value,
		validAfter: 0n,
		validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
		nonce: generatePrivateKey(),
	};
	const signature = await buyer.signTypedData({
		domain: {
			name: 'Demo Dollar',
			version: '1',
			chainId: 31337,
			verifyingContract: token.address as Hex,
			...domain,
		},
		types: {
			TransferWithAuthorization: [
				{ name: 'from', type: 'address' },
				{ name: 'to', type: 'address' },
				{ name: 'value', type: 'uint256' },
				{ name: 'validAfter', type: 'uint256' },
				{ name: 'validBefore', type: 'uint256' },
				{ name: 'nonce', type: 'bytes32' },
			],
		},
		primaryType: 'TransferWithAuthorization',
		message,
	});
	const authorization = Object.fromEntries(
		Object.entries(message).map(([name, value]) => [name, String(value)]),
	);
	const payload = { authorization: { ...authorization, ...told }, signature };
	const payment = { x402Version: 1, scheme: 'exact', network: 'eip155:31337', payload };
	return Buffer.from(JSON.stringify(payment)).toString('base64');
}

interface Payment {
	readonly payload: {
		readonly authorization: Readonly<Record<'from' | 'value' | 'nonce', string>>;
		readonly signature: string;
	};
}

function respell(payment: string, write: (one: Payment) => string): string {
	const read = JSON.parse(Buffer.from(payment, 'base64').toString()) as Payment;
	return Buffer.from(write(read)).toString('base64');
}

function respellAuthorization(
	payment: string,
	change: (one: Payment['payload']['authorization']) => object,
): string {
	return respell(payment, ({ payload, ...rest }) => {
		const authorization = { ...payload.authorization, ...change(payload.authorization) };
		return JSON.stringify({ ...rest, payload: { ...payload, authorization } });
	});
}

async function readIncome(): Promise<bigint> {
	const data = token.data('balanceOf(address)', BigInt(SELLER));
	return BigInt(String(await sandbox.chain('eth_call', { to: token.address, data }, 'latest')));
}

const readSales = async () => (await readIncome()) / PRICE;

async function countSendings(): Promise<number> {
	const record = await sandbox.record();
	return record
		.flatMap(({ body }) => [body].flat() as Array<{ method: string } | undefined>)
		.filter((call) => call?.method === 'eth_sendRawTransaction').length;
}

const FIVE = 5;
const askAtOnce = async (ask: () => Promise<{ status: unknown }>) =>
	(await Promise.all(Array.from({ length: FIVE }, ask))).map(({ status }) => Number(status));

test('five requests at once with one payment get one answer', async () => {
	const { ask, table } = openShop(FIVE);
	const before = await readSales();
	const payment = await pay();
	const statuses = await askAtOnce(async () => await ask(payment));
	expect(statuses.toSorted()).toEqual([200, 402, 402, 402, 402]);
	expect(await readSales()).toBe(before + 1n);
	expect(await countSendings()).toBe(1);
	expect(new Set(table.map(({ authorization }) => authorization)).size).toBe(1);
	expect((await ask(payment)).status).toBe(402);
});

test('they get one where the table says to each that it was first: the node had the transaction', async () => {
	let own: IDataObject[] = [];
	const { ask } = openShop(FIVE, {
		changeRows: (operation, rows, parameter) => {
			if (operation === 'insert') own = [...own, ...rows];
			if (operation !== 'get') return rows;
			const isOwn = ({ authorization }: IDataObject) =>
				authorization === (parameter('filters.conditions') as [{ keyValue: string }])[0].keyValue;
			return [own.filter(isOwn).length > 0 ? (own.shift() as IDataObject) : {}];
		},
	});
	const before = await readSales();
	const payment = await pay();
	const statuses = await askAtOnce(async () => await ask(payment));
	expect(statuses.toSorted()).toEqual([200, 402, 402, 402, 402]);
	expect(await readSales()).toBe(before + 1n);
	expect(await countSendings()).toBe(FIVE);
});

test('a payment that could not be sent may be tried again', async () => {
	const { ask, table } = openShop(1);
	const payment = await pay();
	await sandbox.fault({ rpcMethod: 'eth_sendRawTransaction', do: { status: 403 } });
	expect(await ask(payment)).toMatchObject({ status: 503 });
	expect(table).toEqual([]);
	expect(await ask(payment)).toMatchObject({ status: 200 });
	expect(await ask(payment)).toMatchObject({ status: 402 });
});

test('a request without a payment gets the price', async () => {
	const { ask } = openShop(1);
	const { status, body, headers } = await ask();
	expect(status).toBe(402);
	expect(body).toMatchObject({ x402Version: 1, error: 'X-PAYMENT header is required' });
	const required = Buffer.from(String(headers['PAYMENT-REQUIRED']), 'base64').toString();
	expect(JSON.parse(required)).toMatchObject({
		x402Version: 2,
		accepts: [{ amount: String(PRICE), payTo: getAddress(SELLER), network: 'eip155:31337' }],
	});
});

test('an answer has its receipt', async () => {
	const { ask } = openShop(1);
	const { status, headers } = await ask(await pay());
	expect(status).toBe(200);
	const receipt = Buffer.from(String(headers['PAYMENT-RESPONSE']), 'base64').toString();
	expect(JSON.parse(receipt)).toMatchObject({ success: true, payer: buyer.address });
});

describe('nothing is delivered for', () => {
	const short = PRICE - 1n;
	test.each<[string, Signing]>([
		['a payment that is a unit short', { value: short }],
		['one that says more than was signed', { value: short, told: { value: String(PRICE) } }],
		['one to somebody else', { to: relayer.address }],
		[
			'one that says another receiver than was signed',
			{ to: relayer.address, told: { to: SELLER } },
		],
		['one on another chain', { domain: { chainId: 1 } }],
		['one in another token', { domain: { verifyingContract: SELLER } }],
		['one in a list', { value: short, told: { value: [String(PRICE)] } }],
		['one in an object', { told: { value: { toString: '10000' } } }],
		['one without a receiver', { told: { to: undefined } }],
		['one that ends now', { told: { validBefore: '0' } }],
	])('%s', async (_, signing) => {
		const { ask, table } = openShop(1);
		const before = await readIncome();
		expect(await ask(await pay(signing))).toMatchObject({ status: 402 });
		expect([await readIncome(), table]).toEqual([before, []]);
	});

	test('a unit too little, where doubles see no difference', async () => {
		const price = 2n ** 53n + 1n;
		const slot = keccak256(concat([pad(buyer.address), pad('0x0')]));
		await sandbox.chain('anvil_setStorageAt', token.address, slot, pad(toHex(2n ** 60n)));
		const { ask } = openShop(1, {}, price);
		const before = await readIncome();
		expect(await ask(await pay({ value: price - 1n }))).toMatchObject({ status: 402 });
		expect(await readIncome()).toBe(before);
		expect(await ask(await pay({ value: price }))).toMatchObject({ status: 200 });
		expect(await readIncome()).toBe(before + price);
	});
});

describe('a payment in another spelling', () => {
	test.each<[string, (payment: string) => string]>([
		['with blanks around it', (payment) => ` ${payment} `],
		['without padding', (payment) => payment.replace(/=+$/, '')],
		[
			'in JSON with other blanks',
			(payment) => respell(payment, (one) => JSON.stringify(one, null, 2)),
		],
		[
			'with a signature in capitals',
			(payment) =>
				respell(payment, (one) =>
					JSON.stringify({
						...one,
						payload: {
							...one.payload,
							signature: one.payload.signature.toUpperCase().replace('0X', '0x'),
						},
					}),
				),
		],
		[
			'with a nonce in capitals',
			(payment) =>
				respellAuthorization(payment, ({ nonce }) => ({
					nonce: nonce.toUpperCase().replace('0X', '0x'),
				})),
		],
		[
			'with a payer in small letters',
			(payment) => respellAuthorization(payment, ({ from }) => ({ from: from.toLowerCase() })),
		],
	])('%s is the same payment', async (_, spell) => {
		const { ask, table } = openShop(2);
		const before = await readSales();
		const payment = await pay();
		const answers = await Promise.all([ask(payment), ask(spell(payment))]);
		expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 402]);
		expect(await readSales()).toBe(before + 1n);
		expect(new Set(table.map(({ authorization }) => authorization)).size).toBe(1);
		expect(await ask(spell(payment))).toMatchObject({ status: 402 });
	});
});
