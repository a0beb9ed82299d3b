import { createTokenReader, createTokenMemory, noTokenError } from '../chain/tokens';
import { encodeFunctionData, parseFunction } from '../evm/abi/call';
import type { AbiFunction } from '../evm/abi/entry';
import { decodeOrNull, decodeTextOrNull, NAME_FUNCTION, SYMBOL_FUNCTION } from '../evm/abi/results';
import { isRefusal } from '../errors/requestFailure';
import { rethrow } from '../values/parse';
import { toWitnessFunction } from './abi';
import { formatWitnessAddresses } from './address';
import { callConstant, isFailureOfContract, ZERO_ADDRESS } from './constantCall';
import type { RestReader } from '../chain/reader';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

const DECIMALS_FUNCTION = parseFunction('decimals() returns (uint8)');
const SUPPLY_FUNCTION = parseFunction('totalSupply() returns (uint256)');
const BALANCE_FUNCTION = toWitnessFunction(
	parseFunction('balanceOf(address owner) returns (uint256)'),
);

const TOKEN_MEMORY = sharedKey('witness.tokens', createTokenMemory<string>);

/** Makes a reader of facts about tokens. Tokens are 40 hex digits. */
export const tokenReader = createTokenReader(
	TOKEN_MEMORY,
	async (reader: RestReader, token: string) => {
		const [symbol, decimals] = await Promise.all([
			readConstant(reader, token, SYMBOL_FUNCTION),
			readConstant(reader, token, DECIMALS_FUNCTION),
		]);
		return {
			symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
			decimals: decodeDecimalsOrNull(decimals),
		};
	},
);

export const readTokenFacts = tokenReader.read;

/** Reads all facts that a token gives about itself. The token is 40 hex digits. */
export async function readToken(reader: RestReader, token: string) {
	const functions = [NAME_FUNCTION, SYMBOL_FUNCTION, DECIMALS_FUNCTION, SUPPLY_FUNCTION];
	const [name, symbol, decimals, supply] = await Promise.all(
		functions.map(async (called) => await callToken(reader, token, called)),
	);
	const found = {
		name: decodeTextOrNull(name, NAME_FUNCTION),
		symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
		decimals: decodeDecimalsOrNull(decimals),
		totalSupply: decodeAmountOrNull(supply, SUPPLY_FUNCTION),
	};
	return Object.values(found).every((one) => one === null)
		? raise(noTokenError(formatWitnessAddresses(token).base58, 'TRC-20'))
		: found;
}

/** Reads the balance of an account in a token, in the smallest unit. The account and the token are 40 hex digits. */
export async function readTokenBalance(
	reader: RestReader,
	token: string,
	owner: string,
): Promise<bigint> {
	const balance = await callToken(reader, token, BALANCE_FUNCTION, [`41${owner}`]);
	return (
		decodeAmountOrNull(balance, BALANCE_FUNCTION) ??
		raise(noTokenError(formatWitnessAddresses(token).base58, 'TRC-20'))
	);
}

/** Reads the decimals of a token. Returns null if the token gives none. */
export async function readDecimals(reader: RestReader, token: string): Promise<number | null> {
	return decodeDecimalsOrNull(await callToken(reader, token, DECIMALS_FUNCTION));
}

/** Calls a function of a token. Returns undefined if the token has no such function, or fails. */
async function callToken(
	reader: RestReader,
	token: string,
	called: AbiFunction,
	args: readonly unknown[] = [],
): Promise<string | undefined> {
	return await readConstant(reader, token, called, { args, isTolerated: isFailureOfContract });
}

interface ConstantRead {
	readonly args?: readonly unknown[];
	/** Whether a failure means that the contract returns nothing. */
	isTolerated?(failure: unknown): boolean;
}

/** Calls a function of a contract. Returns undefined if the contract has no such function, or fails. */
async function readConstant(
	reader: RestReader,
	token: string,
	called: AbiFunction,
	{ args = [], isTolerated = isRefusal }: ConstantRead = {},
): Promise<string | undefined> {
	const call = {
		owner: ZERO_ADDRESS,
		contract: `41${token}`,
		called,
		data: encodeFunctionData(called, args),
		errors: [],
	};
	return await callConstant(reader, call).then(
		({ result }) => result,
		(failure) => (isTolerated(failure) ? undefined : rethrow(failure)),
	);
}

function decodeDecimalsOrNull(returned: string | undefined): number | null {
	const decimals = decodeOrNull(returned, DECIMALS_FUNCTION);
	return typeof decimals === 'number' ? decimals : null;
}

function decodeAmountOrNull(returned: string | undefined, called: AbiFunction): bigint | null {
	const amount = decodeOrNull(returned, called);
	return typeof amount === 'string' ? BigInt(amount) : null;
}
