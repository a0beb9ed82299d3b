import type { Outcome, Step, Turn } from './step';

/** How things are completed by what is asked about them. */
export interface Completion<Request> {
	/** What there is to ask about these things. What the run knows already is not asked again. */
	questions(things: readonly unknown[]): readonly Request[];
	/** Remembers the answers for the run. */
	learn(questions: readonly Request[], outcomes: readonly Outcome[]): void;
	complete(thing: unknown): unknown;
}

/** This many answers are in memory at a time. */
const AT_ONCE = 500;

/** The same steps, with each thing made into another one. */
export function mapped<Request>(
	step: Step<Request>,
	make: (thing: unknown) => unknown,
): Step<Request> {
	return completed(step, { questions: () => [], learn: () => {}, complete: make });
}

/** The same steps; when they are over, and before things are given, those that are wanted are completed. */
export function completed<Request>(
	step: Step<Request>,
	completion: Completion<Request>,
): Step<Request> {
	const found: unknown[] = [];

	function gather(inner: Step<Request>): Step<Request> {
		return {
			...inner,
			next: (outcomes, progress) => {
				const missing = progress.missing - found.length;
				const { things, then } = inner.next(outcomes, { ...progress, missing });
				things.forEach((thing) => found.push(thing));
				if (then && things.length < missing) return { things: [], then: gather(then) };
				const wanted = found.slice(0, progress.missing);
				const last = () => ({ things: wanted.map((thing) => completion.complete(thing)) });
				return asked(completion.questions(wanted), completion, last);
			},
		};
	}

	return gather(step);
}

function asked<Request>(
	questions: readonly Request[],
	completion: Completion<Request>,
	last: () => Turn<Request>,
): Turn<Request> {
	if (questions.length === 0) return last();
	const requests = questions.slice(0, AT_ONCE);
	return {
		things: [],
		then: {
			requests,
			next: (outcomes) => {
				completion.learn(requests, outcomes);
				return asked(questions.slice(AT_ONCE), completion, last);
			},
		},
	};
}
