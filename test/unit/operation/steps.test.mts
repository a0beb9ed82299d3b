import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { Stopped } from '../../../nodes/core/pacing/stop';
import { collect, type RunContext } from '../../../nodes/core/operation/collect';
import type { AnyOperation } from '../../../nodes/core/operation/operation';
import { resultOf, runScope, type Outcome, type Step } from '../../../nodes/core/operation/step';

const described = { name: 'Get', action: 'Get a thing', description: 'Get one thing', fields: [] };

function operation(begin: (run: { memory: <T>(kind: () => T) => T }) => Step<number>) {
	return { ...described, begin: (_: never, run) => begin(run) } as AnyOperation<number>;
}

const double = async (request: number) => await Promise.resolve(request * 2);
const results = (outcomes: readonly Outcome[]) => outcomes.map(resultOf);

test('requests of a step leave in the same moment, and their outcomes stand in order', async () => {
	let underWay = 0;
	let most = 0;
	const found = await collect(
		operation(() => ({
			requests: [1, 2, 3],
			next: (outcomes) => ({ things: results(outcomes) }),
		})),
		{},
		async (request) => {
			most = Math.max(most, ++underWay);
			await new Promise((resolve) => setTimeout(resolve, 9 - request));
			underWay--;
			return request * 2;
		},
	);
	expect(found).toEqual([2, 4, 6]);
	expect(most).toBe(3);
});

test('a step without requests goes on at once', async () => {
	const last = { requests: [], next: () => ({ things: ['end'] }) };
	const first = { requests: [], next: () => ({ things: ['begin'], then: last }) };
	expect(
		await collect(
			operation(() => first),
			{},
			double,
		),
	).toEqual(['begin', 'end']);
});

function counting(at: number): Step<number> {
	return {
		requests: [at],
		next: (outcomes) => ({ things: results(outcomes), then: counting(at + 1) }),
	};
}

test('steps follow one another until enough was found', async () => {
	const sent: number[] = [];
	const send = async (request: number) => {
		sent.push(request);
		return await double(request);
	};
	const found = await collect(
		operation(() => counting(1)),
		{ limit: 3 },
		send,
	);
	expect(found).toEqual([2, 4, 6]);
	expect(sent).toEqual([1, 2, 3]);
});

test('a step learns how much is missing and how long it has taken', async () => {
	jest.useFakeTimers({ now: 1000 });
	const progress: unknown[] = [];
	const step = (things: number[], then?: Step<number>): Step<number> => ({
		requests: [1],
		next: (_, now) => {
			progress.push(now);
			return { things, then };
		},
	});
	const later = { ...step([3]), after: 500 };
	const wait: RunContext['wait'] = async (milliseconds) => {
		jest.advanceTimersByTime(milliseconds);
		await Promise.resolve();
	};
	const lent = { scope: runScope('UTC'), wait };
	await collect(
		operation(() => step([1, 2], later)),
		{ limit: 5 },
		double,
		lent,
	);
	jest.useRealTimers();
	expect(progress).toEqual([
		{ missing: 5, elapsed: 0 },
		{ missing: 3, elapsed: 500 },
	]);
});

test('a wait comes before its requests, and knows how many they are', async () => {
	const events: unknown[] = [];
	const lent: RunContext = {
		scope: runScope('UTC'),
		wait: async (...asked) => await Promise.resolve(void events.push(asked)),
	};
	const later = { after: 700, requests: [8, 9], next: () => ({ things: [] }) };
	const first = { requests: [1], next: () => ({ things: [], then: later }) };
	await collect(
		operation(() => first),
		{},
		async (request) => await Promise.resolve(events.push(request)),
		lent,
	);
	expect(events).toEqual([1, [700, 2], 8, 9]);
});

describe('a failed request', () => {
	const refusing = async (request: number) => {
		if (request > 10) throw new RequestFailure('Too wide');
		return await double(request);
	};

	test('can be asked again in another way', async () => {
		const halved = (request: number): Step<number> => ({
			requests: [request],
			next: ([outcome]) =>
				outcome && 'failure' in outcome
					? { things: [], then: halved(request / 2) }
					: { things: [resultOf(outcome)] },
		});
		expect(
			await collect(
				operation(() => halved(32)),
				{},
				refusing,
			),
		).toEqual([16]);
	});

	test('fails the item where the step does not expect it', async () => {
		await expect(
			collect(
				operation(() => counting(9)),
				{},
				refusing,
			),
		).rejects.toThrow('Too wide');
	});

	test('spoils none of those that travelled with it', async () => {
		const tolerant = {
			requests: [1, 99, 3],
			next: (outcomes: readonly Outcome[]) => ({
				things: outcomes.map((one) => ('failure' in one ? null : one.result)),
			}),
		};
		expect(
			await collect(
				operation(() => tolerant),
				{},
				refusing,
			),
		).toEqual([2, null, 6]);
	});

	test('that is none of the service but the end of the run is never for the step', async () => {
		const tolerant = { requests: [1], next: () => ({ things: ['survived'] }) };
		const stopped = collect(
			operation(() => tolerant),
			{},
			async () => {
				throw new Stopped();
			},
		);
		await expect(stopped).rejects.toThrow(Stopped);
	});
});

test('what a run remembers is shared by its items, a kind each, and ends with it', async () => {
	const numbers = () => new Set<number>();
	const others = () => new Set<number>();
	const remembering = (start: number) =>
		operation(({ memory }) => {
			memory(numbers).add(start);
			memory(others).add(-start);
			return { requests: [], next: () => ({ things: [...memory(numbers), ...memory(others)] }) };
		});
	const lent = { scope: runScope('UTC'), wait: async () => await Promise.resolve() };
	expect(await collect(remembering(1), {}, double, lent)).toEqual([1, -1]);
	expect(await collect(remembering(2), {}, double, lent)).toEqual([1, 2, -1, -2]);
	const other = { ...lent, scope: runScope('UTC') };
	expect(await collect(remembering(3), {}, double, other)).toEqual([3, -3]);
});
