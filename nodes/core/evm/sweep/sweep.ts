import type { RpcReader } from '../../chain/reader';
import type { AskedSweep, Holding, PreparedSweep, SweptChain } from '../../chain/sweep';
import { nullIfRefused } from '../../chain/blocks';
import { parsePayee } from '../../chain/payee';
import { COINS } from '../../chain/payment';
import type { TokenFacts } from '../../chain/tokens';
import { encodeFunctionData, parseFunction } from '../abi/call';
import { checksumAddress, parseEvmAddress } from '../address';
import { readChainId } from '../blocks';
import { quantityParser } from '../chainObjects';
import type { TokenDomain } from '../httpPayment/authorization';
import { findTokenDomain } from '../httpPayment/tokenDomain';
import type { Speed } from '../prepare/fees';
import type { Intent } from '../prepare/intent';
import { readBalance, readCoinBalance, readTokenFacts } from '../tokens';
import type { UnsignedTransaction } from '../transactions/unsigned';
import { prepareAuthorization, type Drafts } from './authorization';
import { readDataFee } from './dataFee';
import { chooseKnownPrices, type KnownPrices } from './price';
import { buildUnsigned, buySweptGas, type UnsignedEvm } from './unsigned';

type EvmSweep = PreparedSweep<UnsignedEvm>;

/** Opens a chain for sweeping addresses, which collects their funds. The reader must always return the present state. */
export function openSweep(
	reader: RpcReader,
	{ speed }: { readonly speed: Speed },
	asked: AskedSweep,
): SweptChain<UnsignedEvm> {
	const token = parseToken(asked);
	const drafts: Drafts = new Map();
	const terms = { reader, speed, destination: asked.destination, token, drafts };
	return {
		token,
		readId: async () => String(await readChainId(reader)),
		readHoldings: async (accounts) => {
			const [facts, domain] = await Promise.all([
				readFacts(reader, token),
				readDomain(reader, token),
			]);
			return await Promise.all(
				accounts.map(
					async (account) => await readHolding({ ...terms, facts, domain, from: `0x${account}` }),
				),
			);
		},
		isPayerBusy: async (payer) => (await readCounts(reader, payer)).isBusy,
	};
}

function parseToken({ token }: AskedSweep): string | null {
	return token === '' ? null : parsePayee('Token', token, 'evm', parseEvmAddress).toLowerCase();
}

interface Sweeping {
	readonly reader: RpcReader;
	readonly speed: Speed;
	readonly destination: string;
	/** Null for coins. */
	readonly token: string | null;
	readonly facts: TokenFacts;
	/** Undefined where the token takes no authorizations. */
	readonly domain: TokenDomain | undefined;
	readonly from: string;
	readonly drafts: Drafts;
}

async function readFacts(reader: RpcReader, token: string | null): Promise<TokenFacts> {
	return token === null ? COINS.evm : (await readTokenFacts(reader, [token]))(token);
}

/**
 * Reads how a token's authorizations are signed. If the node refuses, the address itself sends the tokens, and needs
 * coins for the fee.
 */
async function readDomain(
	reader: RpcReader,
	token: string | null,
): Promise<TokenDomain | undefined> {
	if (token === null) return undefined;
	return (await findTokenDomain(reader, token).catch(nullIfRefused)) ?? undefined;
}

async function readHolding(sweeping: Sweeping): Promise<Holding<UnsignedEvm>> {
	const { reader, from, token } = sweeping;
	const balance = await (token === null
		? readCoinBalance(reader, from)
		: readBalance(reader, token, from, 'latest'));
	// Most addresses have no balance. Nothing more is read for them.
	const { next, isBusy } = balance > 0n ? await readCounts(reader, from) : NOTHING_SENT;
	return {
		facts: formatFacts(sweeping, balance),
		balance,
		isBusy,
		prepare: async () =>
			token === null
				? await prepareCoins(sweeping, balance, next)
				: await prepareTokens(sweeping, token, balance, next),
	};
}

function formatFacts({ destination, token, facts, from }: Sweeping, value: bigint) {
	return {
		from: checksumAddress(from),
		to: checksumAddress(destination),
		token: token === null ? null : checksumAddress(token),
		...facts,
		value,
		comment: null,
	};
}

const NOTHING_SENT = { next: 0n, isBusy: false };

async function readCounts(reader: RpcReader, account: string) {
	const [mined, all] = await Promise.all(
		['latest', 'pending'].map(async (block) =>
			quantityParser('a transaction count')(
				await reader.call('eth_getTransactionCount', [account, block]),
			),
		),
	);
	return { next: mined ?? 0n, isBusy: (all ?? 0n) > (mined ?? 0n) };
}

/**
 * The data fee of a rollup times this factor is left on the address, because the fee may rise before the transaction is
 * in a block.
 */
const DATA_FEE_FACTOR = 2n;

/** A transfer spends at most half of the coins on the fee, whatever prices a node gives. */
async function prepareCoins(
	sweeping: Sweeping,
	balance: bigint,
	nonce: bigint,
): Promise<EvmSweep | undefined> {
	const { reader, speed, destination, from } = sweeping;
	const intent = { sentence: '', to: destination, value: balance / 2n, data: '0x' };
	const [prices, { gas }] = await Promise.all([
		chooseKnownPrices(reader, speed),
		buySweptGas(reader, from, intent),
	]);
	const whole = await buildTransaction(sweeping, intent, { nonce, gas, prices });
	const kept = DATA_FEE_FACTOR * (await readDataFee(reader, whole));
	const fee = gas * prices.highest;
	const value = balance - fee - kept;
	if (value < fee || value <= 0n) return undefined;
	return buildSweep(sweeping, { ...whole, value }, { value, missing: 0n });
}

const TRANSFER_FUNCTION = parseFunction('transfer(address to, uint256 amount)');

/**
 * Prepares the transfer of tokens. Coins on the address pay the fee, at a lower gas price if they do not suffice for
 * the highest price.
 */
async function prepareTokens(
	sweeping: Sweeping,
	token: string,
	value: bigint,
	nonce: bigint,
): Promise<EvmSweep> {
	const { reader, speed, destination, domain, from } = sweeping;
	const data = encodeFunctionData(TRANSFER_FUNCTION, [destination, value]);
	const terms = { isCall: true, mayReturnFalse: true };
	const intent = { sentence: '', to: token, value: 0n, data, ...terms };
	const [prices, { gas }, coins] = await Promise.all([
		chooseKnownPrices(reader, speed),
		buySweptGas(reader, from, intent),
		readCoinBalance(reader, from),
	]);
	const whole = await buildTransaction(sweeping, intent, { nonce, gas, prices });
	const kept = DATA_FEE_FACTOR * (await readDataFee(reader, whole));
	const left = coins - kept;
	const covered = left > 0n ? left / gas : 0n;
	const isCovered = covered >= prices.least;
	const price = isCovered && covered < prices.highest ? covered : prices.highest;
	const missing = isCovered ? 0n : gas * price + kept - coins;
	const authorization =
		domain &&
		(await prepareAuthorization({ ...sweeping, domain, value, gas, price: prices.usual }));
	return buildSweep(
		sweeping,
		{ ...whole, price: prices.build(price) },
		{ value, missing, ...(authorization && { authorization }) },
	);
}

interface Purchase {
	readonly nonce: bigint;
	readonly gas: bigint;
	readonly prices: KnownPrices;
}

async function buildTransaction(
	{ reader, from }: Sweeping,
	{ to, value, data }: Intent,
	{ nonce, gas, prices }: Purchase,
): Promise<UnsignedTransaction> {
	const chainId = await readChainId(reader);
	return { chainId, from, to, nonce, gas, value, data, price: prices.build(prices.highest) };
}

function buildSweep(
	sweeping: Sweeping,
	transaction: UnsignedTransaction,
	{ value, ...prepared }: { readonly value: bigint } & Pick<EvmSweep, 'missing' | 'authorization'>,
): EvmSweep {
	return {
		facts: formatFacts(sweeping, value),
		unsigned: buildUnsigned(transaction),
		...prepared,
	};
}
