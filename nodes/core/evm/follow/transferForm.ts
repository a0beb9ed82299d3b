import { outcomeOf, runScope } from '../../operation/step';
import { factsOf } from '../tokens/facts';
import { simpleTransfer, transferIn } from '../tokens/transfers';
import type { LogForm } from './logView';

/** After so many questions about tokens what was answered is forgotten, or it would fill the memory of a trigger. */
const MOST = 2000;

/** Logs as transfers of tokens, with what the tokens tell of themselves: asked once each. */
export function transferForm(): LogForm {
	let scope = runScope('UTC');
	let asked = 0;
	return async (logs, timeOf, ask) => {
		if (asked > MOST) [scope, asked] = [runScope('UTC'), 0];
		const facts = factsOf('', scope);
		const transfers = logs.map((log) => transferIn(log) ?? null);
		const questions = facts.questions(transfers.flatMap((one) => one?.token ?? []));
		asked += questions.length;
		const answers = questions.map(
			async ({ method, params }) => await outcomeOf(ask(method, params as readonly unknown[])),
		);
		facts.learn(questions, await Promise.all(answers));
		return transfers.map(
			(one) => one && { ...simpleTransfer(one, facts.of(one.token)), timestamp: timeOf(one.log) },
		);
	};
}
