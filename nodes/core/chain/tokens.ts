import { RequestFailure } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import { readOnce, type SharedKey } from '../net/pacing/shared';
import { parseField } from '../values/parse';
import { quoteSymbol } from '../values/quoted';
import { formatUnits, unitsParser } from '../values/units';
import type { Patience } from './reader';

/** The symbol and the decimals of a token. A value that the contract does not return is null. */
export interface TokenFacts {
	readonly symbol: string | null;
	readonly decimals: number | null;
}

/** Formats an amount of a token in whole tokens; null if its decimals are unknown. */
export function formatTokenAmount(
	amount: bigint,
	{ decimals }: Pick<TokenFacts, 'decimals'>,
): string | null {
	return decimals === null ? null : formatUnits(amount, decimals);
}

/** Parses an amount of whole tokens, and returns it in the token's smallest unit. */
export function parseTokenAmount(
	amount: string,
	address: string,
	{ decimals }: Pick<TokenFacts, 'decimals'>,
): bigint {
	if (decimals !== null) return parseField('Amount', amount, unitsParser(decimals));
	throw noDecimalsError(
		address,
		'Without this number, an amount of whole tokens has no meaning. There may be no token at this address; otherwise call its function with an amount in its smallest unit.',
	);
}

export function noDecimalsError(address: string, description: string): RequestFailure {
	return new RequestFailure(`The token at ${address} does not report its number of decimals`, {
		description,
	});
}

/** Advice for watching the balance of a token without decimals. */
export const WATCH_RESULT_ADVICE =
	"Without this number, a threshold in whole tokens has no meaning. Set 'Measure' to Function Result instead.";

/** Describes a token for a sentence. The address comes first, because any token can choose any symbol. */
export function formatTokenName(address: string, { symbol, decimals }: TokenFacts): string {
	const facts = [
		quoteSymbol(symbol),
		decimals === null ? undefined : `${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`,
	].filter((one) => one !== undefined);
	return `the token ${address}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

/** The known symbols and decimals of tokens. Each family of chains has its own type of key. */
export type KnownTokens<Token> = Map<Token, TokenFacts>;

interface TokenReader<Memory, Token> {
	/**
	 * Returns the symbols and decimals that were read so far. An entry that is deleted from the map is read again when
	 * needed.
	 */
	getKnown(reader: Memory): KnownTokens<Token>;
	/**
	 * Reads the facts of tokens. Each token is read once, even if several items ask at the same time. The result has no
	 * facts of other tokens.
	 */
	read(reader: Memory, tokens: Iterable<Token>): Promise<(token: Token) => TokenFacts>;
}

export const NO_FACTS: TokenFacts = { symbol: null, decimals: null };
/** How many tokens are read at the same time. */
export const TOKEN_CONCURRENCY = 250;

interface TokenMemory<Token> {
	readonly known: KnownTokens<Token>;
	/** What is being read. */
	readonly reads: Map<Token, Promise<TokenFacts>>;
}

/** Creates the store in which a family of chains keeps the symbols and decimals of tokens. */
export function createTokenMemory<Token>(): TokenMemory<Token> {
	return { known: new Map(), reads: new Map() };
}

export function createTokenReader<Memory extends Pick<Patience, 'shared'>, Token>(
	memory: SharedKey<TokenMemory<Token>>,
	readFacts: (reader: Memory, token: Token) => Promise<TokenFacts>,
): TokenReader<Memory, Token> {
	return {
		getKnown: (reader) => reader.shared(memory).known,
		read: async (reader, tokens) => {
			const { known, reads } = reader.shared(memory);
			const unknown = [...new Set(tokens)].filter((token) => !known.has(token));
			await mapInParallel(unknown.length, TOKEN_CONCURRENCY, async (index) => {
				const token = unknown[index];
				if (token === undefined) return;
				known.set(token, await readOnce(reads, token, async () => await readFacts(reader, token)));
				reads.delete(token);
			});
			return (token) => known.get(token) ?? NO_FACTS;
		},
	};
}

const KIND_NAMES = { 'ERC-20': 'an ERC-20 token', 'TRC-20': 'a TRC-20 token', token: 'a token' };

export function noTokenError(
	address: string,
	standard: 'ERC-20' | 'TRC-20' | 'token',
): RequestFailure {
	return new RequestFailure(`There is no token at ${address}`, {
		description: `The contract does not behave like ${KIND_NAMES[standard]}, or there is no contract at this address on this chain.`,
	});
}
