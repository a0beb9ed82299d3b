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
	/** Says what the transaction does, in one sentence without a final period. */
	readonly sentence: string;
}

interface BuildOperation<Fields extends readonly Field[]> extends OperationInfo<Fields> {
	/** Describes the transaction that the node must build. */
	draft(parameters: Params<Fields>): DescribedDraft;
}

/** Makes an operation in which a TRON node builds a transaction. The bytes of the transaction are compared with the draft. */
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
