import type { Abi } from '../abi/abi';
import { decodeErrorResult } from '../abi/call';
import { nullIfRefused } from '../../chain/blocks';
import { quantityToDecimal, quantityParser, hexParser } from '../chainObjects';
import { checkAmount } from './purse';
import { RequestFailure } from '../../errors/requestFailure';
import { invalidResponseError } from '../../net/responses/response';
import { findRevertData } from '../../net/responses/reverts';
import { isAboutTransaction } from '../../net/responses/rpcErrors';
import type { RpcReader } from '../../chain/reader';
import { numberToHex } from '../../values/numbers';
import { isRecord, rethrow } from '../../values/parse';
import { readCoinBalance } from '../tokens';
import type { Intent } from './intent';

/** The gas that a plain transfer to an account uses. */
const TRANSFER_GAS = 21_000n;
/** Some servers estimate by halving, and end one unit too high. */
const ALMOST_TRANSFER_GAS = 21_001n;
/** The most gas that a transaction may use on most chains (EIP-7825). */
const TRANSACTION_GAS_CAP = 2n ** 24n;

interface GasPurchase {
	readonly gas: bigint;
	/** The balance of the payer; undefined if it was not read. */
	readonly balance: bigint | undefined;
}

interface FixedGas {
	readonly gas: bigint | undefined;
	/** By how many percent the limit of gas is higher than the estimate. */
	readonly gasBuffer: number;
}

/**
 * Chooses how much gas to buy. Throws if the estimate shows that the transaction would fail; nothing is estimated if the
 * user fixed the gas.
 */
export async function chooseGas(
	reader: RpcReader,
	from: string,
	intent: Intent,
	{ gas: fixed, gasBuffer }: FixedGas,
): Promise<GasPurchase> {
	if (fixed !== undefined) return { gas: fixed, balance: undefined };
	const [balance, estimated] = await Promise.allSettled([
		readCoinBalance(reader, from),
		estimateGas(reader, from, intent, gasBuffer),
	]);
	// The balance is checked first. For an account without funds, the estimate fails too, but with unclear words of the
	// node.
	if (balance.status === 'fulfilled') checkAmount(from, balance.value, intent.value);
	const [held, gas] = await Promise.all([unwrapSettled(balance), unwrapSettled(estimated)]);
	return { gas, balance: held };
}

async function unwrapSettled<T>(result: PromiseSettledResult<T>): Promise<T> {
	return result.status === 'fulfilled' ? result.value : rethrow(result.reason);
}

async function estimateGas(
	reader: RpcReader,
	from: string,
	intent: Intent,
	buffer: number,
): Promise<bigint> {
	const { to, value, data } = intent;
	const call = { from, ...(to !== undefined && { to }), value: numberToHex(value), data };
	const [code, estimated, limit] = await Promise.all([
		to === undefined ? undefined : readCode(reader, to),
		reader.call('eth_estimateGas', [call, 'latest']).catch(createRevertExplainer(intent.abi)),
		readBlockGasLimit(reader),
		intent.mayReturnFalse && checkReturnValue(reader, call),
	]);
	const estimate = quantityParser('an amount of gas')(estimated);
	const isAccount = code === '0x';
	if (isAccount && intent.isCall) throw noContractError(to);
	if (isAccount && data === '0x' && estimate <= ALMOST_TRANSFER_GAS) return TRANSFER_GAS;
	if (estimate === 0n) throw invalidResponseError('an amount of gas', estimated);
	const gas = addBuffer(estimate, buffer, limit);
	const { maxGas = gas } = intent;
	if (estimate > maxGas) throw tooCostlyError(estimate, maxGas);
	return gas < maxGas ? gas : maxGas;
}

async function readCode(reader: RpcReader, address: string): Promise<string> {
	return hexParser('code as 0x-hex')(await reader.call('eth_getCode', [address, 'latest']));
}

/** Reads how much gas a block can hold; undefined if the node does not say. */
async function readBlockGasLimit(reader: RpcReader): Promise<bigint | undefined> {
	const block = await reader.call('eth_getBlockByNumber', ['latest', false]).catch(nullIfRefused);
	const limit = quantityToDecimal(isRecord(block) ? block.gasLimit : null);
	return limit === null || limit === '0' ? undefined : BigInt(limit);
}

/**
 * Adds the percentage to the estimate. The sum stays below the most that a block or a transaction may use, as nodes
 * refuse more.
 */
function addBuffer(estimate: bigint, buffer: number, limit: bigint | undefined): bigint {
	if (limit !== undefined && estimate > limit) throw tooMuchGasError(estimate, limit);
	const wanted = (estimate * BigInt(100 + buffer) + 99n) / 100n;
	const caps = [limit ?? wanted, TRANSACTION_GAS_CAP].filter((cap) => estimate <= cap);
	return caps.reduce((least, cap) => (cap < least ? cap : least), wanted);
}

/**
 * Creates a function that throws a failure again. If the transaction would revert, the reason is decoded with the errors
 * of the ABI.
 */
function createRevertExplainer(abi: Abi | undefined) {
	return async (failure: unknown): Promise<never> => {
		if (!isAboutTransaction(failure)) return rethrow(failure);
		const reason = abi && decodeErrorResult(abi.errors, findRevertData(failure.answer));
		return rethrow(
			new RequestFailure(`The transaction would fail: ${reason?.text ?? failure.message}`, failure),
		);
	};
}

const FALSE_WORD = `0x${'0'.repeat(64)}`;

async function checkReturnValue(reader: RpcReader, call: object): Promise<void> {
	// The estimate reports a revert.
	const returned = await reader.call('eth_call', [call, 'latest']).catch(nullIfRefused);
	if (returned !== FALSE_WORD) return;
	throw new RequestFailure('The transaction would fail: the token returns false', {
		description:
			'Some tokens refuse a transfer in this way. The balance or the allowance may be too low.',
	});
}

function tooMuchGasError(estimate: bigint, limit: bigint): RequestFailure {
	return new RequestFailure(
		`The transaction would fit into no block: it needs ${estimate} gas, a block holds ${limit}`,
		{ description: 'Split what it does into several transactions.' },
	);
}

function tooCostlyError(estimate: bigint, maxGas: bigint): RequestFailure {
	return new RequestFailure(
		`The transaction would use ${estimate} gas, but at most ${maxGas} may be spent on it`,
		{
			description:
				"Nothing was prepared. The account that pays the tokens is a contract. The contract's own code checks its signature, and may use much gas. The sender of the transaction pays for this gas. To allow more, set the option 'Gas'.",
		},
	);
}

function noContractError(address = ''): RequestFailure {
	return new RequestFailure(`There is no contract at ${address}`, {
		description:
			'On this chain the address has no code. The call would do nothing, but still cost a fee.',
	});
}
