import { decodeResult, encodeCall, functionIn } from '../abi/call';
import { DecodingError } from '../abi/data';
import type { AbiFunction } from '../abi/entry';
import { isRefusal, RequestFailure, withAdvice } from '../errors/requestFailure';
import { inParallel } from '../pacing/concurrency';
import { invalidResponse } from '../responses/response';
import { isOfContract } from '../responses/reverts';
import { namesLimit } from '../responses/rpcErrors';
import type { ChainReader } from '../rpc/chain';
import { decimalText } from '../values/numbers';
import { attempt } from '../values/read';
import { nullIfRefused } from './blocks';

const LONGEST = 200;
/** So that a token that never ends its answer fails soon. Some nodes refuse more than a transaction may use (EIP-7825). */
const GAS = '0x1000000';

const ERC20 = {
	name: functionIn('name() returns (string)'),
	symbol: functionIn('symbol() returns (string)'),
	decimals: functionIn('decimals() returns (uint8)'),
	totalSupply: functionIn('totalSupply() returns (uint256)'),
	balanceOf: functionIn('balanceOf(address owner) returns (uint256)'),
	allowance: functionIn('allowance(address owner, address spender) returns (uint256)'),
} as const;

/** Some of the oldest tokens have their texts in 32 bytes. */
const OLD = {
	name: functionIn('name() returns (bytes32)'),
	symbol: functionIn('symbol() returns (bytes32)'),
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
		known.set(token, { symbol: textIn(symbol, 'symbol'), decimals: decimalsIn(decimals) });
	});
	return (token) => known.get(token.toLowerCase()) ?? UNKNOWN;
}

/** All that a token tells of itself. */
export async function readToken(chain: ChainReader, token: string) {
	const { name: named, symbol: called, decimals: counted, totalSupply: issued } = ERC20;
	const [name, symbol, decimals, supply] = await Promise.all(
		[named, called, counted, issued].map(
			async (one) => await returned(tokenCall(chain, token, one)),
		),
	);
	const found = {
		name: textIn(name, 'name'),
		symbol: textIn(symbol, 'symbol'),
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
	const hex = await returned(tokenCall(chain, token, ERC20.balanceOf, [owner], block));
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
	const hex = await returned(tokenCall(chain, token, ERC20.allowance, [owner, spender], block));
	return amountIn(hex, ERC20.allowance) ?? noToken(token);
}

/** An amount of a token in whole coins; null where it does not tell its decimals. */
export function inCoins(amount: bigint, { decimals }: Pick<TokenFacts, 'decimals'>): string | null {
	return decimals === null ? null : decimalText(amount, decimals);
}

/** Whether the node refuses questions that say how much gas they may use. */
const gasTerms = () => ({ areRefused: false });

/** What a call of a token gives. Refused for another reason than the contract's own, it is asked without `gas`: the words differ. */
async function tokenCall(
	chain: ChainReader,
	token: string,
	called: AbiFunction,
	args: readonly unknown[] = [],
	block = 'latest',
): Promise<unknown> {
	const call = { to: token, data: encodeCall(called, args) };
	const terms = chain.memory(gasTerms);
	const ask = async (more: object) => await chain.call('eth_call', [{ ...call, ...more }, block]);
	const asking = terms.areRefused
		? ask({})
		: ask({ gas: GAS }).catch(async (failure) => {
				if (!isUnexplained(failure)) return await Promise.reject(failure);
				terms.areRefused ||= /\bgas\b/i.test(failure.message);
				return await ask({});
			});
	return await asking.catch(async (failure) => await Promise.reject(naming(token, failure)));
}

function isUnexplained(failure: unknown): failure is RequestFailure {
	return isRefusal(failure) && !isOfContract(failure) && !namesLimit(failure.message);
}

/** A list holds many tokens. */
function naming(token: string, failure: unknown): unknown {
	return isRefusal(failure) ? withAdvice(failure, `It was asked of the token ${token}.`) : failure;
}

const NOTHING = '0x';

/** What a call returned; nothing where the contract has no such function or fails. */
async function returned(calling: Promise<unknown>): Promise<string> {
	const result = await calling.catch(nothingIfOfContract);
	return typeof result === 'string' ? result : invalidResponse('return data as 0x-hex', result);
}

/** Whatever a token says, even an odd thing, spoils no list of others. That the node refuses to ask it is another matter. */
async function pardoned(
	chain: ChainReader,
	token: string,
	called: AbiFunction,
	attempts = ATTEMPTS,
): Promise<string> {
	const calling = tokenCall(chain, token, called).catch(nothingIfOfContract);
	const result = await calling.catch(async (failure) => {
		if (!(await isOfOne(chain, called, failure))) return await Promise.reject(failure);
		return attempts === 1 ? NOTHING : await pardoned(chain, token, called, attempts - 1);
	});
	return typeof result === 'string' ? result : NOTHING;
}

/** So often a token is asked that alone is refused: nodes behind one address may differ. */
const ATTEMPTS = 3;
/** There is no contract. */
const NOWHERE = `0x${'0'.repeat(40)}`;

/** Whether a node that refuses to ask one token, in words that nobody knows, takes the same question for another. */
async function isOfOne(
	chain: ChainReader,
	called: AbiFunction,
	failure: unknown,
): Promise<boolean> {
	if (!isUnexplained(failure)) return false;
	const call = { to: NOWHERE, data: encodeCall(called, []) };
	const asking = chain.call('eth_call', [call, 'latest'], { isFresh: true });
	const answer = await asking.catch(nothingIfOfContract).catch(nullIfRefused);
	return answer !== null;
}

async function nothingIfOfContract(failure: unknown): Promise<string> {
	return failure instanceof RequestFailure && isOfContract(failure)
		? NOTHING
		: await Promise.reject(failure);
}

/** A text that a token tells; null where it does not. */
function textIn(hex: string | undefined, name: keyof typeof OLD): string | null {
	const decoded = valueIn(hex, ERC20[name]);
	const text = typeof decoded === 'string' ? decoded : oldText(hex, OLD[name]);
	return text && text.length > LONGEST ? beginningOf(text) : text;
}

/** A copy: a part of a text keeps the whole of it in memory. */
function beginningOf(text: string): string {
	return Buffer.from(`${text.slice(0, LONGEST)}…`).toString();
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

function valueIn(hex: string | undefined, called: AbiFunction): unknown {
	const value = attempt(DecodingError, () => decodeResult(called, hex ?? NOTHING).result);
	return value instanceof DecodingError ? null : value;
}

const WORD_DIGITS = 66;

function oldText(hex: string | undefined, called: AbiFunction): string | null {
	const word = hex?.length === WORD_DIGITS ? valueIn(hex, called) : null;
	if (typeof word !== 'string') return null;
	const bytes = Buffer.from(word.slice(2), 'hex');
	const end = bytes.indexOf(0);
	return bytes.subarray(0, end < 0 ? bytes.length : end).toString();
}

function noToken(token: string): never {
	throw new RequestFailure(`There is no token at ${token}`, {
		description:
			'The contract does not answer as an ERC-20 token does, or there is no contract at this address on this chain.',
	});
}
