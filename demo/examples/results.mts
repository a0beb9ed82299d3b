import type { Execution } from '../run/api.mts';

export type Results = ReturnType<typeof collectResults>;

/** Collects what the nodes of an execution returned, in all outputs and all runs, or answered as tools. */
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

/** Throws an error that names the differences from the expected outcome. */
export function check(condition: unknown, otherwise: string): void {
	if (!condition) throw new Error(otherwise);
}
