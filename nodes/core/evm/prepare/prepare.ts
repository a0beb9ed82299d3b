import { nullIfRefused } from '../../chain/blocks';
import type { Cost } from '../../chain/purse';
import type { RpcReader } from '../../chain/reader';
import { getTokenCost } from '../../chain/tokenCost';
import { RequestFailure } from '../../errors/requestFailure';
import { markHandled } from '../../net/pacing/concurrency';
import { keccak256 } from '../../values/keccak';
import { ETHER_DECIMALS, formatUnits } from '../../values/units';
import { checksumAddress } from '../address';
import { readChainId } from '../blocks';
import { addMark } from '../mark';
import { readBalance, readCoinBalance } from '../tokens';
import { getCreateAddress } from '../transactions/contractAddress';
import {
	computeMaxFee,
	formatTransactionRequest,
	serializeTransaction,
	type UnsignedTransaction,
} from '../transactions/unsigned';
import { chooseGasPrice, chooseRaisedPrice, type FixedFees, type Speed } from './fees';
import { forecast, withForecast } from './forecast';
import { chooseGas } from './gas';
import type { Intent, PlannedIntent, SpentTokens } from './intent';
import { reserveFixedNonce, takeNonce, type NoncePlace } from './purse';
import { formatSummary, type Prepared } from './summary';
import { raise } from '../../errors/raise';

export const DEFAULT_BUFFER_PERCENT = 20;

/** The account that pays, and the options of the transaction. */
interface Terms {
	readonly from: string;
	readonly speed: Speed;
	readonly options: FixedFees & {
		readonly gas?: bigint;
		/** By how many percent the limit of gas is higher than the estimate. */
		readonly gasBuffer?: number;
		readonly expectChainId?: bigint;
		/** Whether to simulate and describe the changes. */
		readonly simulate?: boolean;
	};
	/** A number to identify the payment, which the last bits of the gas limit and of the price carry. */
	readonly mark?: bigint;
}

/** Prepares a transaction. Everything that is read from the chain is read at the same time. */
export async function prepareTransaction(
	reader: RpcReader,
	{ from, speed, options, mark }: Terms,
	planned: PlannedIntent,
	place: NoncePlace,
) {
	const { gas: fixedGas, gasBuffer = DEFAULT_BUFFER_PERCENT, expectChainId } = options;
	const reading = readIntent(reader, planned);
	const buying = reading.then(
		async (intent) => await chooseGas(reader, from, intent, { gas: fixedGas, gasBuffer }),
	);
	// If the user fixed the gas, the balances of the account are not checked, so they are not read.
	const counting = reading.then(async ({ spends }) =>
		spends && fixedGas === undefined ? [await readTokenCost(reader, from, spends)] : [],
	);
	const work = Promise.all([reading, chooseGasPrice(reader, speed, options), buying, counting]);
	markHandled(work);
	// The chain ID is checked first, because the wrong chain is the failure that the user must see.
	const chainId = await readExpectedChainId(reader, expectChainId);
	const [{ sentence, to, value, data }, price, { gas, balance }, tokens] = await work;
	const purchase = mark === undefined ? { gas, price } : addMark({ gas, price }, mark);
	const fee = computeMaxFee(purchase);
	const sent = { from, to, value, data, ...purchase };
	// The nonce is taken last. If a later step failed, the nonce would stay unused, and the transactions of the next
	// items would wait for it.
	const simulation = options.simulate ? await forecast(reader, sent) : undefined;
	const payment = { from, cost: value + fee, balance };
	const { nonce, waiting } = await takeNonce(place, payment, tokens);
	const prepared = formatPrepared({ chainId, nonce, ...sent }, { sentence, fee, waiting });
	return await withForecast(prepared, simulation);
}

/**
 * Reads how much of a token an account spends and has. If the token reports no balance, it is not checked whether the
 * account has enough.
 */
async function readTokenCost(
	reader: RpcReader,
	from: string,
	{ token, facts, amount }: SpentTokens,
): Promise<Cost> {
	const balance = await readBalance(reader, token, from, 'latest').catch(nullIfRefused);
	return getTokenCost({
		token: checksumAddress(token),
		facts,
		owner: checksumAddress(from),
		amount,
		balance: balance ?? undefined,
	});
}

async function readIntent(reader: RpcReader, planned: PlannedIntent): Promise<Intent> {
	return typeof planned === 'function' ? await planned(reader) : planned;
}

/** Prepares a replacement, with the nonce of the pending transaction instead of the next free nonce. */
export async function prepareReplacement(
	reader: RpcReader,
	{ from, speed, options }: Terms,
	planned: PlannedIntent,
) {
	const reading = readIntent(reader, planned);
	const work = Promise.all([reading, readCoinBalance(reader, from)]);
	markHandled(work);
	const chainId = await readExpectedChainId(reader, options.expectChainId);
	const [{ replaces, ...intent }, balance] = await work;
	if (replaces?.chainId !== chainId) throw otherSignedChainError(chainId);
	const { nonce, accessList } = replaces;
	const { gasBuffer = DEFAULT_BUFFER_PERCENT } = options;
	const [price, { gas }] = await Promise.all([
		chooseRaisedPrice(reader, speed, options, replaces.price),
		chooseGas(reader, from, intent, { gas: replaces.gas, gasBuffer }),
	]);
	const { sentence, to, value, data } = intent;
	const fee = computeMaxFee({ gas, price });
	const sent = { from, to, gas, value, data, price, accessList };
	const simulation = options.simulate ? await forecast(reader, sent) : undefined;
	const place = reserveFixedNonce(nonce);
	const { waiting } = await takeNonce(place, { from, cost: value + fee, balance });
	const prepared = formatPrepared({ chainId, nonce, ...sent }, { sentence, fee, waiting });
	return await withForecast(prepared, simulation);
}

function otherSignedChainError(id: bigint): RequestFailure {
	return new RequestFailure(
		`The transaction to replace is not for chain ${id}, to which the chain node belongs`,
		{
			description: 'Use a chain node of the chain for which the transaction was signed.',
		},
	);
}

async function readExpectedChainId(reader: RpcReader, expected?: bigint): Promise<bigint> {
	const id = await readChainId(reader);
	return expected === undefined || id === expected ? id : raise(otherChainError(id, expected));
}

function otherChainError(id: bigint, expected: bigint): RequestFailure {
	return new RequestFailure(
		`The chain node says that it belongs to chain ${id}, where chain ${expected} is expected`,
		{
			description:
				'Nothing was prepared, because the payment would be made on the wrong chain. If the option Expect Chain ID is right, the credential belongs to another chain, or the chain node cannot be trusted.',
		},
	);
}

function formatPrepared(
	transaction: UnsignedTransaction,
	{ sentence, fee, waiting }: Pick<Prepared, 'sentence' | 'fee' | 'waiting'>,
) {
	const { chainId, from: deployer, to, nonce, value } = transaction;
	const unsigned = serializeTransaction(transaction);
	const contractAddress = to === undefined ? getCreateAddress(deployer, nonce) : null;
	return {
		summary: formatSummary({ sentence, fee, chainId, nonce, waiting, contractAddress }),
		maxCost: formatUnits(value + fee, ETHER_DECIMALS),
		transaction: formatTransactionRequest(transaction),
		unsignedTransaction: `0x${unsigned.toString('hex')}`,
		signingHash: `0x${keccak256(unsigned).toString('hex')}`,
		contractAddress,
	};
}

/** The names of public test networks, by their chain IDs. */
const TEST_CHAINS: ReadonlyMap<bigint, string> = new Map([
	[97n, 'BNB Testnet'],
	[300n, 'zkSync Testnet'],
	[43_113n, 'Fuji'],
	[80_002n, 'Amoy'],
	[84_532n, 'Base Sepolia'],
	[421_614n, 'Arbitrum Sepolia'],
	[534_351n, 'Scroll Sepolia Testnet'],
	[560_048n, 'Hoodi'],
	[11_155_111n, 'Sepolia'],
	[11_155_420n, 'OP Sepolia'],
]);

/** From this number of pending transactions on, the user is told that a transaction may wait for long. */
const MANY_WAITING = 20n;

/** The node's count does not include transactions of the run itself. */
export async function findQueueHint(from: string, place: NoncePlace): Promise<string | undefined> {
	const { mined, next } = await place.account;
	if (mined === undefined || next - mined < MANY_WAITING) return undefined;
	return `${next - mined} transactions of ${from} are in no block yet, and come before this one. Prepare of Chain EVM RPC speeds up the first of them, with the kind Replacement.`;
}

export function findTestChainHint(chainId: bigint): string | undefined {
	const name = TEST_CHAINS.get(chainId);
	return name && `The chain is a test network, ${name}: payments there are worth nothing.`;
}
