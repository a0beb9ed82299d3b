import { outcomeOf } from '../../operation/step';
import { factsOf, knownTokens, type KnownTokens } from '../tokens/facts';
import { simpleTransfer, transferIn } from '../tokens/transfers';
import type { LogForm } from './logView';

/** A trigger lives long, and anyone can make a token. */
const MOST_KNOWN = 1_000;
/** A token made to do harm may answer with megabytes: only so many questions are asked at a time. */
const AT_ONCE = 10;

/** Logs as transfers of tokens, with what the tokens tell of themselves: asked once each. */
export function transferForm(): LogForm {
	const known = knownTokens();
	const facts = factsOf('', known);
	return async (logs, timeOf, ask) => {
		const transfers = logs.map((log) => transferIn(log) ?? null);
		const questions = facts.questions(transfers.flatMap((one) => one?.token ?? []));
		for (let at = 0; at < questions.length; at += AT_ONCE) {
			const some = questions.slice(at, at + AT_ONCE);
			const answers = some.map(
				async ({ method, params }) => await outcomeOf(ask(method, params as readonly unknown[])),
			);
			facts.learn(some, await Promise.all(answers));
		}
		const told = transfers.map(
			(one) => one && { ...simpleTransfer(one, facts.of(one.token)), timestamp: timeOf(one.log) },
		);
		forget(known);
		return told;
	};
}

/** What a token did not tell may have been the node's fault: it is asked again with its next transfer. */
function forget(known: KnownTokens): void {
	for (const [token, { symbol, decimals }] of known) {
		const isIncomplete = symbol === null || decimals === null;
		if (isIncomplete || known.size > MOST_KNOWN) known.delete(token);
	}
}
