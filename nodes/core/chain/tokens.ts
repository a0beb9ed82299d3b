import { abiWith } from '../abi/abi';
import { decodeResult, encodeCall, functionOf } from '../abi/call';
import { DecodingError } from '../abi/data';
import type { AbiFunction } from '../abi/entry';
import { RequestFailure } from '../errors/requestFailure';
import { attempt } from '../values/read';
import type { Completion } from '../operation/completing';
import { resultOf, type Outcome, type RunScope } from '../operation/step';
import { invalidResponse, isQuota } from '../responses/response';
import type { RpcRequest } from '../rpc/request';
import { decimalText } from '../values/numbers';

const LONGEST = 200;
/** As much as a whole block may use: a token that never ends its answer fails soon. */
const GAS = '0x1c9c380';

const only = (signature: string) => functionOf(abiWith('function')(signature), '');

export const ERC20 = {
	name: only('name() returns (string)'),
	symbol: only('symbol() returns (string)'),
	decimals: only('decimals() returns (uint8)'),
	totalSupply: only('totalSupply() returns (uint256)'),
	balanceOf: only('balanceOf(address owner) returns (uint256)'),
} as const;

/** Some of the oldest tokens have their texts in 32 bytes. */
const OLD = {
	name: only('name() returns (bytes32)'),
	symbol: only('symbol() returns (bytes32)'),
} as const;

/** Where a token is asked, and of which block. */
export interface TokenPlace {
	readonly path: RpcRequest['path'];
	readonly token: string;
	readonly block?: string;
}

export function tokenCall(
	{ path, token, block = 'latest' }: TokenPlace,
	called: AbiFunction,
	...args: readonly unknown[]
): RpcRequest {
	return {
		path,
		method: 'eth_call',
		params: [{ to: token, data: encodeCall(called, args), gas: GAS }, block],
	};
}

/** A text that a token tells; null where it does not. */
export function textIn(outcome: Outcome | undefined, name: keyof typeof OLD): string | null {
	const hex = returned(outcome);
	const decoded = valueIn(hex, ERC20[name]);
	const text = typeof decoded === 'string' ? decoded : oldText(hex, OLD[name]);
	return text && text.length > LONGEST ? beginningOf(text) : text;
}

/** A copy: a part of a text keeps the whole of it in memory. */
function beginningOf(text: string): string {
	return Buffer.from(`${text.slice(0, LONGEST)}…`).toString();
}

export function decimalsIn(outcome: Outcome | undefined): number | null {
	const decimals = valueIn(returned(outcome), ERC20.decimals);
	return typeof decimals === 'number' ? decimals : null;
}

/** An amount in the smallest unit. */
export function amountIn(outcome: Outcome | undefined, called: AbiFunction): bigint | null {
	const amount = valueIn(returned(outcome), called);
	return typeof amount === 'string' ? BigInt(amount) : null;
}

/** What a call returned; nothing where the contract has no such function or fails. */
function returned(outcome: Outcome | undefined): string {
	if (outcome && 'failure' in outcome && isOfContract(outcome.failure)) return '0x';
	const result = resultOf(outcome);
	return typeof result === 'string' ? result : invalidResponse('return data as 0x-hex', result);
}

const EXECUTION =
	/revert|opcode|out of gas|gas required|stack|jump|execution|\bevm\b|\bvm\b|bad instruction|invalid instruction/i;

/** Whether the code of the contract failed, rather than the node. */
export function isOfContract({ message, retry, httpCode }: RequestFailure): boolean {
	return !retry && httpCode === undefined && EXECUTION.test(message);
}

function valueIn(hex: string, called: AbiFunction): unknown {
	const value = attempt(DecodingError, () => decodeResult(called, hex).result);
	return value instanceof DecodingError ? null : value;
}

const WORD_DIGITS = 66;

function oldText(hex: string, called: AbiFunction): string | null {
	const word = hex.length === WORD_DIGITS ? valueIn(hex, called) : null;
	if (typeof word !== 'string') return null;
	const bytes = Buffer.from(word.slice(2), 'hex');
	const end = bytes.indexOf(0);
	return bytes.subarray(0, end < 0 ? bytes.length : end).toString();
}

export function noToken(token: string): never {
	throw new RequestFailure(`There is no token at ${token}`, {
		description:
			'The contract does not answer as an ERC-20 token does, or there is no contract at this address on this chain.',
	});
}

/** What a token does not tell is null. */
export interface TokenFacts {
	readonly symbol: string | null;
	readonly decimals: number | null;
}

/** By the address in lower case: asked for once in a run. */
export type KnownTokens = Map<string, TokenFacts>;

export const knownTokens = (): KnownTokens => new Map();

const UNKNOWN: TokenFacts = { symbol: null, decimals: null };

/** An amount of a token in whole coins; null where it does not tell its decimals. */
export function inCoins(amount: bigint, { decimals }: TokenFacts): string | null {
	return decimals === null ? null : decimalText(amount, decimals);
}

/** What there is to ask about these tokens, and what was answered. */
export function factsOf(path: RpcRequest['path'], known: KnownTokens) {
	return {
		of: (token: string): TokenFacts => known.get(token.toLowerCase()) ?? UNKNOWN,
		questions: (tokens: readonly string[]): RpcRequest[] => {
			const distinct = new Set(tokens.map((token) => token.toLowerCase()));
			const unknown = [...distinct].filter((token) => !known.has(token));
			return unknown.flatMap((token) => [
				tokenCall({ path, token }, ERC20.symbol),
				tokenCall({ path, token }, ERC20.decimals),
			]);
		},
		learn: (questions: readonly RpcRequest[], outcomes: readonly Outcome[]): void => {
			for (let at = 0; at < questions.length; at += 2) {
				known.set(calledBy(questions[at]), {
					symbol: textIn(pardoned(outcomes[at]), 'symbol'),
					decimals: decimalsIn(pardoned(outcomes[at + 1])),
				});
			}
		},
	};
}

/** Completes things that name a token by what it tells of itself. */
export function withFacts<Thing extends { readonly token: string }>(
	path: RpcRequest['path'],
	run: RunScope,
	complete: (thing: Thing, facts: TokenFacts) => unknown,
): Completion<RpcRequest> {
	const facts = factsOf(path, run.memory(knownTokens));
	return {
		questions: (things) => facts.questions((things as readonly Thing[]).map(({ token }) => token)),
		learn: facts.learn,
		complete: (thing) => complete(thing as Thing, facts.of((thing as Thing).token)),
	};
}

function calledBy(question: RpcRequest | undefined): string {
	const [call] = (question?.params ?? []) as ReadonlyArray<{ readonly to: string }>;
	return call?.to ?? '';
}

/** Whatever a node says of one token, even an odd one, spoils no list of others. An outage or a quota is another matter. */
function pardoned(outcome: Outcome | undefined): Outcome | undefined {
	if (!outcome) return outcome;
	if ('result' in outcome) return typeof outcome.result === 'string' ? outcome : { result: '0x' };
	const { retry, httpCode, message } = outcome.failure;
	return retry || httpCode !== undefined || isQuota(message) ? outcome : { result: '0x' };
}
