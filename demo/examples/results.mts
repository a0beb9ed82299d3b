import type { Execution } from '../run/api.mts';

export type Results = ReturnType<typeof collectResults>;

/**
 * Collects the output of the nodes of an execution from all outputs and runs. The answers of nodes that serve as tools
 * are included.
 */
export function collectResults(execution: Execution) {
	const { runData } = execution.data.resultData;
	const all = <Shape,>(node: string): Shape[] => {
		const outputs = (runData[node] ?? []).flatMap(({ data }) => [
			...(data?.main ?? []),
			...(data?.ai_tool ?? []),
		]);
		return outputs.flatMap((items) => (items ?? []).map(({ json }) => json as Shape));
	};
	const only = <Shape,>(node: string): Shape => {
		const [first, ...more] = all<Shape>(node);
		if (!first || more.length > 0)
			throw new Error(
				`the node "${node}" gave ${more.length + (first ? 1 : 0)} items instead of one`,
			);
		return first;
	};
	return { all, only };
}

/** Throws an error with the given text if a condition does not hold. */
export function check(condition: unknown, otherwise: string): void {
	if (!condition) throw new Error(otherwise);
}
