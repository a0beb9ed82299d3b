import type { Step } from '../../operation/step';
import type { RpcRequest } from '../../rpc/request';

/** Leaves out the first things. */
export function skipping(step: Step<RpcRequest>, count: number): Step<RpcRequest> {
	if (count === 0) return step;
	return {
		...step,
		next: (outcomes, progress) => {
			const missing = progress.missing + count;
			const { things, then } = step.next(outcomes, { ...progress, missing });
			const left = Math.max(0, count - things.length);
			return { things: things.slice(count), then: then && skipping(then, left) };
		},
	};
}
