import type { Completion } from '../operation/completing';
import { resultOf, type RunScope } from '../operation/step';
import type { RpcRequest } from '../rpc/request';
import { listOfObjects, type ChainObject } from './objects';
import { isReverted, pathOf, transactionOf, transactionsToCheck } from './traces';

/** The traces of transactions that failed, by the hash of each; null where the node does not have it. */
const failuresByTransaction = () => new Map<string, readonly ChainObject[] | null>();

/** Says of each trace whether what it did was undone. For a nested call, the calls above it show that. */
export function withReverted(
	path: RpcRequest['path'],
	{ memory }: RunScope,
): Completion<RpcRequest> {
	const known = memory(failuresByTransaction);
	return {
		questions: (things) =>
			transactionsToCheck(things as readonly ChainObject[])
				.filter((hash) => !known.has(hash))
				.map((hash) => ({ path, method: 'trace_transaction', params: [hash] })),
		learn: (questions, outcomes) => {
			questions.forEach(({ params }, index) =>
				known.set(String((params as readonly unknown[])[0]), failuresIn(resultOf(outcomes[index]))),
			);
		},
		complete: (thing) => {
			const trace = thing as ChainObject;
			const failures = isNested(trace) ? known.get(transactionOf(trace)) : [];
			const isUnknown = !trace.error && !failures;
			return { ...trace, reverted: isUnknown ? null : isReverted(trace, failures ?? []) };
		},
	};
}

function isNested(trace: ChainObject): boolean {
	return (pathOf(trace)?.length ?? 0) > 0;
}

function failuresIn(answer: unknown): readonly ChainObject[] | null {
	const traces = answer === null ? [] : listOfObjects('a list of traces')(answer);
	return traces.length === 0 ? null : traces.filter(({ error }) => Boolean(error));
}
