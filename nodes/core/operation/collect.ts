import type { AnyOperation } from './operation';
import { pages } from './paging';
import { outcomeOf, runScope, type RunScope, type Step } from './step';

type Send<Request> = (request: Request) => Promise<unknown>;

/** What the run lends to the work on an item. */
export interface RunContext {
	readonly scope: RunScope;
	/** Waits until this many requests may leave together. */
	wait(milliseconds: number, requests: number): Promise<void>;
}

const nothing: RunContext = { scope: runScope('UTC'), wait: async () => await Promise.resolve() };

/** Everything that an operation yields for one item: step by step, as long as more things are wanted. */
export async function collect<Request>(
	operation: AnyOperation<Request>,
	parameters: Readonly<Record<string, unknown>>,
	send: Send<Request>,
	{ scope, wait }: RunContext = nothing,
): Promise<unknown[]> {
	const began = Date.now();
	const wanted = typeof parameters.limit === 'number' ? parameters.limit : Infinity;
	const things: unknown[] = [];
	let step: Step<Request> | undefined =
		'begin' in operation
			? operation.begin(parameters as never, scope)
			: pages(operation, parameters);
	while (step) {
		if (step.after !== undefined) await wait(step.after, step.requests.length);
		const outcomes = await Promise.all(
			step.requests.map(async (one) => await outcomeOf(send(one))),
		);
		const turn = step.next(outcomes, {
			missing: wanted - things.length,
			elapsed: Date.now() - began,
		});
		turn.things.forEach((thing) => things.push(thing));
		step = things.length < wanted ? turn.then : undefined;
	}
	return things.slice(0, wanted);
}
