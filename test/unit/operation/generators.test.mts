import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { Stopped } from '../../../nodes/core/net/pacing/stop';
import type { Field } from '../../../nodes/core/operation/field';
import type { GeneratorOperation, RunContext } from '../../../nodes/core/operation/operation';
import { collectResults } from '../../../nodes/core/run';
import { createContext } from '../support/chains.mts';
import { createShared, sharedKey } from '../../../nodes/core/net/pacing/shared';

const described = { name: 'Get', action: 'Get a thing', description: 'Get one thing', fields: [] };

function operation(
	run: (context: RunContext<number>) => AsyncIterable<unknown>,
): GeneratorOperation<number, readonly Field[]> {
	return { ...described, run: (_: never, context) => run(context) };
}

const double = async (request: number) => await Promise.resolve(request * 2);

test('calls of one moment leave together, and their answers stand in order', async () => {
	let underWay = 0;
	let most = 0;
	const call = async (request: number) => {
		most = Math.max(most, ++underWay);
		await new Promise((resolve) => setTimeout(resolve, 9 - request));
		underWay--;
		return request * 2;
	};
	const three = operation(async function* (context) {
		yield* await Promise.all([1, 2, 3].map(context.call));
	});
	expect(await collectResults(three, {}, createContext(call))).toEqual([2, 4, 6]);
	expect(most).toBe(3);
});

test('an operation may do without any call', async () => {
	const words = operation(async function* () {
		yield 'begin';
		yield 'end';
	});
	expect(await collectResults(words, {}, createContext(double))).toEqual(['begin', 'end']);
});

describe('a limit', () => {
	test('ends an operation that would go on for ever, and nothing more is asked', async () => {
		const call = jest.fn(double);
		const endless = operation(async function* (context) {
			for (let at = 1; ; at++) yield await context.call(at);
		});
		expect(await collectResults(endless, { limit: 3 }, createContext(call))).toEqual([2, 4, 6]);
		expect(call.mock.calls).toEqual([[1], [2], [3]]);
	});

	test('lets it clean up', async () => {
		const cleanUp = jest.fn();
		const cleaning = operation(async function* () {
			try {
				for (;;) yield 1;
			} finally {
				cleanUp();
			}
		});
		expect(await collectResults(cleaning, { limit: 2 }, createContext(double))).toEqual([1, 1]);
		expect(cleanUp).toHaveBeenCalledTimes(1);
	});
});

test('a wait comes before the calls that follow it, and knows how many they are', async () => {
	const events: unknown[] = [];
	const context = createContext<number>(async (request) => void events.push(request), {
		wait: async (...asked) => void events.push(asked),
	});
	const waiting = operation(async function* ({ call, wait }) {
		await call(1);
		await wait(700, 2);
		await Promise.all([8, 9].map(call));
		yield 'done';
	});
	await collectResults(waiting, {}, context);
	expect(events).toEqual([1, [700, 2], 8, 9]);
});

describe('a failed call', () => {
	const refusing = createContext(async (request: number) => {
		if (request > 10) throw new RequestFailure('Too wide');
		return await double(request);
	});

	test('can be made again in another way', async () => {
		const halving = operation(async function* ({ call }) {
			for (let request = 32; ; request /= 2) {
				const answer = await call(request).catch(() => undefined);
				if (answer !== undefined) return yield answer;
			}
		});
		expect(await collectResults(halving, {}, refusing)).toEqual([16]);
	});

	test('fails the item where the operation does not expect it', async () => {
		const counting = operation(async function* ({ call }) {
			for (let at = 9; ; at++) yield await call(at);
		});
		await expect(collectResults(counting, {}, refusing)).rejects.toThrow('Too wide');
	});

	test('spoils none of those that travelled with it', async () => {
		const tolerant = operation(async function* ({ call }) {
			yield* await Promise.all([1, 99, 3].map(async (one) => await call(one).catch(() => null)));
		});
		expect(await collectResults(tolerant, {}, refusing)).toEqual([2, null, 6]);
	});

	test('that is none of the service but the end of the run ends it', async () => {
		const stopped = createContext<number>(() => Promise.reject(new Stopped()));
		const asking = operation(async function* ({ call }) {
			yield await call(1);
		});
		await expect(collectResults(asking, {}, stopped)).rejects.toThrow(Stopped);
	});
});

test('what a run remembers is shared by its items, a kind each, and ends with it', async () => {
	const numbers = sharedKey('test.numbers', () => new Set<number>());
	const others = sharedKey('test.others', () => new Set<number>());
	const remembering = (start: number) =>
		operation(async function* ({ shared: memory }) {
			memory(numbers).add(start);
			memory(others).add(-start);
			yield* [...memory(numbers), ...memory(others)];
		});
	const memory = createShared();
	const context = createContext(double, { shared: memory });
	expect(await collectResults(remembering(1), {}, context)).toEqual([1, -1]);
	expect(await collectResults(remembering(2), {}, context)).toEqual([1, 2, -1, -2]);
	expect(await collectResults(remembering(3), {}, createContext(double))).toEqual([3, -3]);
});
