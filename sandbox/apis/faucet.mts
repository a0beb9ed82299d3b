import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { addSetting, closedObject, noQuery } from '../http/schemas.mts';
import type { Chain } from './evm/chain.mts';

interface FaucetSettings {
	/**
	 * The amounts of ETH that the faucet finds on Ethereum's main network for each address, even for a TON address. EVM
	 * addresses are in any case, and TON addresses are in the raw form.
	 */
	balances: Record<string, string>;
	/** The amount that all other addresses hold. */
	balance: string;
	/** Whether an address has a history on the main network. An address that is not listed has a history. */
	history: Record<string, boolean>;
	/** The form of an answer: with the URL of the transaction in an explorer, or with the amount and the URL. */
	form: 'url' | 'transaction';
	/** The number of seconds between two payments to an address on a chain. */
	cooldown: number;
}

interface Payment {
	chain: string;
	account: string;
	at: number;
}

interface Faucet {
	settings: FaucetSettings;
	payments: Payment[];
}

export interface FaucetState {
	faucet: Faucet;
}

export const createFaucet = (): Faucet => ({
	settings: { balances: {}, balance: '1', history: {}, form: 'url', cooldown: 86_400 },
	payments: [],
});

const FAUCET_CHAINS = [
	'hoodi',
	'sepolia',
	'bnb-testnet',
	'zksync-testnet',
	'scroll-sepolia-testnet',
	'amoy',
	'ton-testnet',
];

const schema = {
	params: { type: 'object', properties: { chain: { type: 'string', enum: FAUCET_CHAINS } } },
	querystring: noQuery,
	body: closedObject({ address: { type: 'string' } }, ['address']),
};

interface Request {
	Params: { chain: string };
	Body: { address: string };
}

export const faucetApi =
	(state: FaucetState, node: Chain | undefined): FastifyPluginCallback =>
	(app, _options, done) => {
		app.removeContentTypeParser('text/plain');
		app.post<Request>('/v1/faucet/:chain', { schema }, async ({ params, body }, reply) => {
			const { chain } = params;
			const account = await parseAccount(body.address, chain);
			if (!account) {
				const words = `"${body.address}" is not a valid address on ${chain}.`;
				return reply.code(400).send({ address: [words] });
			}
			const refusal = findRefusal(state.faucet, chain, account);
			if (refusal) return reply.code(refusal.status).send(refusal.body);
			const hash = await recordAndPay(state, chain, account, node);
			const url = `https://explorer.example.com/${chain}/tx/${hash}`;
			if (state.faucet.settings.form === 'url') return { url };
			return { amountSent: Number(AMOUNT_WEI), transaction: url };
		});
		done();
	};

/** The faucet pays 0.1 coins. */
const AMOUNT_WEI = 10n ** 17n;

/** Records a payment before it is made. Of two simultaneous requests, the second then counts as a repetition. */
async function recordAndPay({ faucet }: FaucetState, chain: string, account: string, node?: Chain) {
	const payment = { chain, account, at: Date.now() };
	faucet.payments.push(payment);
	try {
		return await pay(chain, account, node);
	} catch (error) {
		faucet.payments = faucet.payments.filter((other) => other !== payment);
		throw error;
	}
}

async function pay(chain: string, to: string, node?: Chain): Promise<string> {
	const madeUp = randomBytes(32).toString('hex');
	if (chain === 'ton-testnet') return madeUp;
	if (!node) return `0x${madeUp}`;
	// The last account of the mnemonic pays, because tests use the first accounts.
	const from = ((await node.call('eth_accounts', [])) as string[]).at(-1);
	const value = `0x${AMOUNT_WEI.toString(16)}`;
	return String(await node.call('eth_sendTransaction', [{ from, to, value }]));
}

interface FaucetRefusal {
	status: 403 | 429;
	body: object;
}

const MIN_BALANCE_ETH = 0.08;

/** Makes the checks that the faucet's documentation lists. Returns the refusal, or undefined if all checks pass. */
function findRefusal(
	{ settings, payments }: Faucet,
	chain: string,
	account: string,
): FaucetRefusal | undefined {
	if (!(findValue(account, settings.history) ?? true)) return buildForbidden(NO_HISTORY_TEXT);
	const balance = findValue(account, settings.balances) ?? settings.balance;
	if (Number(balance) < MIN_BALANCE_ETH) return buildForbidden(formatTooPoor(balance));
	const last = payments.findLast((paid) => paid.chain === chain && paid.account === account);
	const next = (last?.at ?? 0) + settings.cooldown * 1000;
	if (!last || next <= Date.now()) return undefined;
	const message = `This address was paid on ${chain} already. Too many requests, try again later.`;
	const nextFaucetAvailable = new Date(next).toISOString();
	return { status: 429, body: { error: { message }, nextFaucetAvailable } };
}

const findValue = <T,>(account: string, values: Record<string, T>): T | undefined =>
	Object.entries(values).find(([key]) => key.toLowerCase() === account)?.[1];

const NO_HISTORY_TEXT =
	'The address has no history of holding ETH on the main network, or it was empty recently.';

const formatTooPoor = (balance: string) =>
	`The address must hold at least ${MIN_BALANCE_ETH} ETH on the main network, it holds ${balance} ETH.`;

const buildForbidden = (error: string): FaucetRefusal => ({ status: 403, body: { error } });

/**
 * Returns the normal form of an address: EVM in lower case, TON in the raw form. Returns undefined for a text that is
 * no address.
 */
async function parseAccount(address: string, chain: string): Promise<string | undefined> {
	return chain === 'ton-testnet' ? await parseTonAccount(address) : await parseEvmAccount(address);
}

async function parseTonAccount(address: string): Promise<string | undefined> {
	const { Address } = await import('@ton/core');
	try {
		return Address.parse(address).toRawString();
	} catch {
		return undefined;
	}
}

async function parseEvmAccount(address: string): Promise<string | undefined> {
	if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined;
	const digits = address.slice(2);
	const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
	if (isMixed && address !== (await checksumAddress(address))) return undefined;
	return address.toLowerCase();
}

/** Writes an address with the checksum of EIP-55: a letter is upper case where the digit of the hash is 8 or more. */
async function checksumAddress(address: string): Promise<string> {
	const { ethersUtils } = (await import('tronweb')).utils;
	const digits = address.slice(2).toLowerCase();
	const hash = ethersUtils.keccak256(Buffer.from(digits)).slice(2);
	const cased = [...digits].map((digit, index) =>
		parseInt(hash[index]!, 16) >= 8 ? digit.toUpperCase() : digit,
	);
	return `0x${cased.join('')}`;
}

const decimalText = {
	type: 'string',
	pattern: '^[0-9]+(\\.[0-9]+)?$',
	description: 'a decimal number as text',
};

const mapOf = (value: object) => ({ type: 'object', additionalProperties: value, default: {} });

const { settings: defaults } = createFaucet();

const settingsSchema = closedObject({
	balances: mapOf(decimalText),
	balance: { ...decimalText, default: defaults.balance },
	history: mapOf({ type: 'boolean' }),
	form: { enum: ['url', 'transaction'], default: defaults.form },
	cooldown: { type: 'number', minimum: 0, default: defaults.cooldown },
});

export function addFaucetControl(app: FastifyInstance, state: FaucetState): void {
	app.get('/faucet', async () => countPayments(state.faucet.payments));
	addSetting<FaucetSettings>(app, '/faucet', settingsSchema, (settings) => {
		state.faucet.settings = settings;
	});
}

/** Payments per chain and account. */
function countPayments(payments: Payment[]): Record<string, Record<string, number>> {
	const counts: Record<string, Record<string, number>> = {};
	for (const { chain, account } of payments) {
		const accounts = (counts[chain] ??= {});
		accounts[account] = (accounts[account] ?? 0) + 1;
	}
	return counts;
}
