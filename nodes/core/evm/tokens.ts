import {
	createTokenReader,
	createTokenMemory,
	noTokenError,
	TOKEN_CONCURRENCY,
	type TokenFacts,
} from '../chain/tokens';
import { parseFunction } from './abi/call';
import type { AbiFunction } from './abi/entry';
import { formatInOneLine } from '../errors/invalidInput';
import { isRefusal } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import type { RpcCaller, RpcReader } from '../chain/reader';
import { rethrow } from '../values/parse';
import { NAME_FUNCTION, SYMBOL_FUNCTION, decodeTextOrNull, decodeOrNull } from './abi/results';
import { quantityParser } from './chainObjects';
import { callContract, callTolerant, type BlockName } from './contractReads';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

const ERC20_FUNCTIONS = {
	name: NAME_FUNCTION,
	symbol: SYMBOL_FUNCTION,
	decimals: parseFunction('decimals() returns (uint8)'),
	totalSupply: parseFunction('totalSupply() returns (uint256)'),
	balanceOf: parseFunction('balanceOf(address owner) returns (uint256)'),
	allowance: parseFunction('allowance(address owner, address spender) returns (uint256)'),
} as const;

const TOKEN_MEMORY = sharedKey('evm.tokens', createTokenMemory<string>);

/** Reads the symbol and decimals of tokens, by the address in lower case. */
export const tokenReader = createTokenReader(
	TOKEN_MEMORY,
	async (reader: RpcReader, token: string) => {
		const [symbol, decimals] = await Promise.all([
			callTolerant(reader, token, ERC20_FUNCTIONS.symbol),
			callTolerant(reader, token, ERC20_FUNCTIONS.decimals),
		]);
		return {
			symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
			decimals: decodeDecimals(decimals),
		};
	},
);

/** Reads the symbol and decimals of tokens. Addresses may be in upper or lower case. */
export async function readTokenFacts(
	reader: RpcReader,
	tokens: readonly string[],
): Promise<(token: string) => TokenFacts> {
	const factsOf = await tokenReader.read(
		reader,
		tokens.map((token) => token.toLowerCase()),
	);
	return (token) => factsOf(token.toLowerCase());
}

/** Reads all that a token returns about itself. */
export async function readToken(reader: RpcReader, token: string) {
	const { name: named, symbol: called, decimals: counted, totalSupply: issued } = ERC20_FUNCTIONS;
	const [name, symbol, decimals, supply] = await Promise.all(
		[named, called, counted, issued].map(async (one) => await callContract(reader, token, one)),
	);
	const found = {
		name: decodeTextOrNull(name, NAME_FUNCTION),
		symbol: decodeTextOrNull(symbol, SYMBOL_FUNCTION),
		decimals: decodeDecimals(decimals),
		totalSupply: decodeAmount(supply, ERC20_FUNCTIONS.totalSupply),
	};
	return Object.values(found).every((one) => one === null)
		? raise(noTokenError(token, 'ERC-20'))
		: found;
}

/** Reads the coins of an account, in wei. */
export async function readCoinBalance(
	reader: RpcCaller,
	account: string,
	block: string | object = 'latest',
): Promise<bigint> {
	return quantityParser('a balance')(await reader.call('eth_getBalance', [account, block]));
}

/** Reads how much of a token an account has, in the smallest unit. */
export async function readBalance(
	reader: RpcReader,
	token: string,
	owner: string,
	block: BlockName,
): Promise<bigint> {
	const hex = await callContract(reader, token, ERC20_FUNCTIONS.balanceOf, [owner], block);
	return decodeAmount(hex, ERC20_FUNCTIONS.balanceOf) ?? raise(noTokenError(token, 'ERC-20'));
}

/** The balance of a token in the smallest unit, or the reason why the balance is unknown. */
interface BalanceOrProblem {
	readonly token: string;
	readonly balance: bigint | null;
	readonly problem?: string;
}

/** Reads an account's balances of the given tokens. If a token fails, the other balances are still read. */
export async function readBalances(
	reader: RpcReader,
	tokens: readonly string[],
	owner: string,
	block: string,
): Promise<BalanceOrProblem[]> {
	return await mapInParallel(tokens.length, TOKEN_CONCURRENCY, async (at) => {
		const token = tokens[at] ?? '';
		try {
			return { token, balance: await readBalance(reader, token, owner, block) };
		} catch (failure) {
			if (!isRefusal(failure)) return rethrow(failure);
			return { token, balance: null, problem: formatInOneLine(failure) };
		}
	});
}

/** Reads how much of a token a spender may spend for its owner, in the smallest unit. */
export async function readAllowance(
	reader: RpcReader,
	token: string,
	owner: string,
	spender: string,
	block: string,
): Promise<bigint> {
	const hex = await callContract(reader, token, ERC20_FUNCTIONS.allowance, [owner, spender], block);
	return decodeAmount(hex, ERC20_FUNCTIONS.allowance) ?? raise(noTokenError(token, 'ERC-20'));
}

function decodeDecimals(hex: string | undefined): number | null {
	const decimals = decodeOrNull(hex, ERC20_FUNCTIONS.decimals);
	return typeof decimals === 'number' ? decimals : null;
}

/** Decodes an amount in the smallest unit of a token; null if it cannot be decoded. */
function decodeAmount(hex: string | undefined, called: AbiFunction): bigint | null {
	const amount = decodeOrNull(hex, called);
	return typeof amount === 'string' ? BigInt(amount) : null;
}
