import type { Field, Params } from '../core/operation/field';
import type { OperationInfo, RequestOperation } from '../core/operation/operation';
import type { RestRequest } from '../core/protocols/rest';
import {
	parseBuiltAnswer,
	verifyBuilt,
	type BuiltTransaction,
} from '../core/witness/prepare/built';
import { formatBuildRequest, type Draft } from '../core/witness/prepare/draft';
import { formatBuilt } from '../core/witness/prepare/summary';

interface DescribedDraft extends Draft {
	/** What the transaction does, in one sentence without its full stop. */
	readonly sentence: string;
}

interface BuildOperation<Fields extends readonly Field[]> extends OperationInfo<Fields> {
	/** The transaction that the parameters ask for. */
	draft(parameters: Params<Fields>): DescribedDraft;
}

/** An operation for which a node builds a transaction: the bytes of the transaction must match the draft. */
export function buildOperation<const Fields extends readonly Field[]>({
	draft,
	...info
}: BuildOperation<Fields>): RequestOperation<
	RestRequest,
	Fields,
	BuiltTransaction,
	DescribedDraft
> {
	return {
		...info,
		plan: draft,
		request: formatBuildRequest,
		answer: parseBuiltAnswer,
		items: (built, wanted) => [formatBuilt(verifyBuilt(built, wanted), wanted.sentence)],
	};
}
