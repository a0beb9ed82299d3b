import type { Connect } from '../operation/client';
import type { Field, Params } from '../operation/field';
import type { GeneratorOperation, OperationInfo } from '../operation/operation';

interface PureOperation<Fields extends readonly Field[]> extends OperationInfo<Fields> {
	/** The one result of an item, or a promise of it. */
	result(parameters: Params<Fields>): unknown;
}

/** Creates an operation without requests: its result follows from the parameters alone. */
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

/** The client of a node whose operations are all pure. */
export const noClient: Connect<never> = async () => ({
	parallelItems: 1,
	call: async (request) => request,
	redact: (text) => text,
});
