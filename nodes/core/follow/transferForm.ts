import type { Ask } from '../chain/blocks';
import { FaultyTokens } from '../chain/suspects';
import { factsOf, knownTokens, type KnownTokens } from '../chain/tokens';
import { simpleTransfer, transferIn } from '../chain/transfers';
import { outcomeOf } from '../operation/step';
import type { RpcRequest } from '../rpc/request';
import type { LogForm } from './views';

/** A trigger lives long, and anyone can make a token. */
const MOST_KNOWN = 1_000;

/** Logs as transfers of tokens, with what the tokens tell of themselves: asked once each. */
export function transferForm(): LogForm {
	const known = knownTokens();
	const facts = factsOf('', known);
	const suspects = new FaultyTokens();
	return async (logs, timeOf, ask) => {
		const transfers = logs.map((log) => transferIn(log) ?? null);
		const tokens = new Set(transfers.flatMap((one) => one?.token.toLowerCase() ?? []));
		const unknown = [...tokens].filter((token) => !known.has(token));
		await suspects.askAll(unknown, {
			ask: async (some) => {
				const questions = facts.questions(some);
				facts.learn(
					questions,
					await Promise.all(questions.map(async (one) => await said(ask, one))),
				);
			},
			isThere: async () => 'result' in (await said(ask, { method: 'eth_chainId', params: [] })),
		});
		const simple = transfers.map(
			(one) => one && { ...simpleTransfer(one, facts.of(one.token)), timestamp: timeOf(one.log) },
		);
		forget(known);
		return simple;
	};
}

async function said(ask: Ask, { method, params }: Pick<RpcRequest, 'method' | 'params'>) {
	return await outcomeOf(ask(method, params as readonly unknown[]));
}

/** What a token did not tell may have been the node's fault: it is asked again with its next transfer. */
function forget(known: KnownTokens): void {
	for (const [token, { symbol, decimals }] of known) {
		const isIncomplete = symbol === null || decimals === null;
		if (isIncomplete || known.size > MOST_KNOWN) known.delete(token);
	}
}
