import { functionIn } from '../abi/call';
import type { AbiFunction } from '../abi/entry';
import { RequestFailure } from '../errors/requestFailure';
import { inParallel } from '../pacing/concurrency';
import type { ChainReader } from '../rpc/chain';
import { decimalText } from '../values/numbers';
import { answerOf, NAME, pardoned, SYMBOL, textIn, valueIn } from './contractReads';

const ERC20 = {
	name: NAME,
	symbol: SYMBOL,
	decimals: functionIn('decimals() returns (uint8)'),
	totalSupply: functionIn('totalSupply() returns (uint256)'),
	balanceOf: functionIn('balanceOf(address owner) returns (uint256)'),
	allowance: functionIn('allowance(address owner, address spender) returns (uint256)'),
} as const;

/** What a token does not tell is null. */
export interface TokenFacts {
	readonly symbol: string | null;
	readonly decimals: number | null;
}

/** By the address in lower case. */
export type KnownTokens = Map<string, TokenFacts>;

export const knownTokens = (): KnownTokens => new Map();

const UNKNOWN: TokenFacts = { symbol: null, decimals: null };
/** So many tokens are asked at a time. */
const AT_ONCE = 250;

/** What these tokens tell of themselves: asked once, as long as the chain is remembered. */
export async function readFacts(
	chain: ChainReader,
	tokens: readonly string[],
): Promise<(token: string) => TokenFacts> {
	const known = chain.memory(knownTokens);
	const distinct = new Set(tokens.map((token) => token.toLowerCase()));
	const unknown = [...distinct].filter((token) => !known.has(token));
	await inParallel(unknown.length, AT_ONCE, async (index) => {
		const token = unknown[index] ?? '';
		const [symbol, decimals] = await Promise.all([
			pardoned(chain, token, ERC20.symbol),
			pardoned(chain, token, ERC20.decimals),
		]);
		known.set(token, { symbol: textIn(symbol, SYMBOL), decimals: decimalsIn(decimals) });
	});
	return (token) => known.get(token.toLowerCase()) ?? UNKNOWN;
}

/** All that a token tells of itself. */
export async function readToken(chain: ChainReader, token: string) {
	const { name: named, symbol: called, decimals: counted, totalSupply: issued } = ERC20;
	const [name, symbol, decimals, supply] = await Promise.all(
		[named, called, counted, issued].map(async (one) => await answerOf(chain, token, one)),
	);
	const found = {
		name: textIn(name, NAME),
		symbol: textIn(symbol, SYMBOL),
		decimals: decimalsIn(decimals),
		totalSupply: amountIn(supply, ERC20.totalSupply),
	};
	return Object.values(found).every((one) => one === null) ? noToken(token) : found;
}

/** How much of it an account holds, in the smallest unit. */
export async function readBalance(
	chain: ChainReader,
	token: string,
	owner: string,
	block: string,
): Promise<bigint> {
	const hex = await answerOf(chain, token, ERC20.balanceOf, [owner], block);
	return amountIn(hex, ERC20.balanceOf) ?? noToken(token);
}

/** How much of it one account lets another one spend, in the smallest unit. */
export async function readAllowance(
	chain: ChainReader,
	token: string,
	owner: string,
	spender: string,
	block: string,
): Promise<bigint> {
	const hex = await answerOf(chain, token, ERC20.allowance, [owner, spender], block);
	return amountIn(hex, ERC20.allowance) ?? noToken(token);
}

/** An amount of a token in whole coins; null where it does not tell its decimals. */
export function inCoins(amount: bigint, { decimals }: Pick<TokenFacts, 'decimals'>): string | null {
	return decimals === null ? null : decimalText(amount, decimals);
}

function decimalsIn(hex: string | undefined): number | null {
	const decimals = valueIn(hex, ERC20.decimals);
	return typeof decimals === 'number' ? decimals : null;
}

/** An amount in the smallest unit. */
function amountIn(hex: string | undefined, called: AbiFunction): bigint | null {
	const amount = valueIn(hex, called);
	return typeof amount === 'string' ? BigInt(amount) : null;
}

function noToken(token: string): never {
	throw new RequestFailure(`There is no token at ${token}`, {
		description:
			'The contract does not answer as an ERC-20 token does, or there is no contract at this address on this chain.',
	});
}
