import type { Connect } from '../operation/client';
import type { Field, Params } from '../operation/field';
import type { GeneratorOperation, OperationInfo } from '../operation/operation';

interface PureOperation<Fields extends readonly Field[]> extends OperationInfo<Fields> {
	/** Computes the only result of an item, or a promise of the result. */
	result(parameters: Params<Fields>): unknown;
}

/** Creates an operation that makes no requests. Its result is computed from the parameters. */
export function pureOperation<const Fields extends readonly Field[]>({
	result,
	...described
}: PureOperation<Fields>): GeneratorOperation<never, Fields> {
	return {
		...described,
		async *run(parameters) {
			yield result(parameters);
		},
	};
}

/** The client for nodes that make no requests. */
export const noClient: Connect<never> = async () => ({
	parallelItems: 1,
	call: async (request) => request,
	redact: (text) => text,
});
