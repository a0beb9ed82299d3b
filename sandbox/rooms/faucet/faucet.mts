import { randomBytes } from 'node:crypto';
import type { FastifyPluginCallback } from 'fastify';
import type { Chain } from '../../chain/chain.mts';
import type { SandboxState } from '../../state.mts';
import { parseAccount } from './addresses.mts';
import { findRefusal } from './checks.mts';

const FAUCET_CHAINS = [
	'hoodi',
	'sepolia',
	'bnb-testnet',
	'zksync-testnet',
	'scroll-sepolia-testnet',
	'amoy',
	'ton-testnet',
];

const closedObject = { type: 'object', additionalProperties: false };

const schema = {
	params: { type: 'object', properties: { chain: { type: 'string', enum: FAUCET_CHAINS } } },
	querystring: { ...closedObject, properties: {} },
	body: { ...closedObject, required: ['address'], properties: { address: { type: 'string' } } },
};

interface Request {
	Params: { chain: string };
	Body: { address: string };
}

export const faucetApi =
	(state: SandboxState, node: Chain | undefined): FastifyPluginCallback =>
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

/** 0.1 coins. */
const AMOUNT_WEI = 10n ** 17n;

/** Written down before it is paid: of two requests at once, one is a repetition. */
async function recordAndPay(
	{ faucet }: SandboxState,
	chain: string,
	account: string,
	node?: Chain,
) {
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
	// The last account of the mnemonic: tests reach for the first ones.
	const from = ((await node.call('eth_accounts', [])) as string[]).at(-1);
	const value = `0x${AMOUNT_WEI.toString(16)}`;
	return String(await node.call('eth_sendTransaction', [{ from, to, value }]));
}
