import { isQuota } from '../../answers/answer';
import type { Completion } from '../../operation/completing';
import type { Outcome, RunScope } from '../../operation/step';
import type { RpcRequest } from '../../protocols/rpcRequest';
import { decimalText } from '../../values/decimals';
import { decimalsIn, ERC20, textIn, tokenCall } from './erc20';

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
