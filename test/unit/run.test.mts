import type { IExecuteFunctions } from 'n8n-workflow';
import { RequestFailure } from '../../nodes/core/errors/requestFailure';
import type { Client } from '../../nodes/core/operation/client';
import type { AnyOperation, RunContext } from '../../nodes/core/operation/operation';
import type { Stop } from '../../nodes/core/net/pacing/stop';
import { run } from '../../nodes/core/run';
import { InvalidInput } from '../../nodes/core/errors/invalidInput';
import { sharedKey } from '../../nodes/core/net/pacing/shared';

const NODE = {
	id: '1',
	name: 'Tested',
	type: 't',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

interface Execution {
	readonly items?: number;
	readonly given?: Readonly<Record<string, unknown>>;
	readonly continues?: boolean;
	readonly cancelled?: AbortSignal;
}

/** Creates the part of n8n's execution context that a run uses. */
function execution({ items = 3, given = {}, continues = false, cancelled }: Execution) {
	const values: Readonly<Record<string, unknown>> = { operation: 'get', ...given };
	return {
		getInputData: () => Array.from({ length: items }, (_, item) => ({ json: { item } })),
		getNode: () => NODE,
		getNodeParameter: (name: string, _item: number, fallback: unknown) => values[name] ?? fallback,
		getExecutionCancelSignal: () => cancelled,
		getTimezone: () => 'Asia/Tokyo',
		continueOnFail: () => continues,
	} as unknown as IExecuteFunctions;
}

/** The work of an operation on an item. Unlike real operations, it knows the number of the item. */
type Work = (item: number, context: RunContext<number>) => AsyncIterable<unknown>;

interface Scene extends Execution {
	readonly work?: Work;
	readonly operation?: Partial<AnyOperation<number>>;
	readonly client?: Partial<Client<number>>;
	readonly connect?: (client: Client<number>, stop: Stop) => Promise<Client<number>>;
}

const echoing: Work = async function* (item, { call }) {
	yield await call(item);
};

/** Starts a run with a fake service that returns its input. */
function started({ work = echoing, operation, client, connect, ...given }: Scene) {
	const sent: number[] = [];
	const closed = jest.fn();
	let next = 0;
	const get = {
		name: 'Get',
		action: 'Get a thing',
		description: 'Get one thing',
		fields: [],
		run: (_parameters: never, context: RunContext<number>) => work(next++, context),
		...operation,
	} as AnyOperation<number>;
	const usual: Client<number> = {
		parallelItems: 1,
		call: async (request) => await Promise.resolve(sent.push(request) && { asked: request }),
		redact: (text) => text.replaceAll('hidden-token', '***'),
		close: closed,
		...client,
	};
	const menu = { thing: { name: 'Thing', operations: { get } } };
	const outcome = run(execution(given), menu, async (_context, stop) =>
		connect ? await connect(usual, stop) : await Promise.resolve(usual),
	);
	return { outcome, sent, closed };
}

const failing = (failure: Error, at = 1): Work =>
	async function* (item, { call }) {
		if (item === at) throw failure;
		yield await call(item);
	};

describe('items', () => {
	test('come out in the order of the input, each paired with its own', async () => {
		let left = 3;
		const { outcome } = started({
			client: { parallelItems: 3, call: async (request) => await late(left--, { asked: request }) },
		});
		expect(await outcome).toEqual([
			[0, 1, 2].map((item) => ({ json: { asked: item }, pairedItem: { item } })),
		]);
	});

	test('are as many as an operation gives, or none', async () => {
		const { outcome } = started({
			work: async function* (item) {
				yield* Array<object>(item).fill({ of: item });
			},
		});
		expect((await outcome)[0]).toEqual([
			{ json: { of: 1 }, pairedItem: { item: 1 } },
			...Array(2).fill({ json: { of: 2 }, pairedItem: { item: 2 } }),
		]);
	});

	test.each<[string, unknown]>([
		['a text', '0x1'],
		['a number', 0],
		['null', null],
		['a list', [1]],
	])('that are %s are its result', async (_what, value) => {
		const { outcome } = started({
			items: 1,
			work: async function* () {
				yield value;
			},
		});
		expect(await outcome).toEqual([[{ json: { result: value }, pairedItem: { item: 0 } }]]);
	});

	test('that there are none of make no connection', async () => {
		const connect = jest.fn();
		expect(await started({ items: 0, connect }).outcome).toEqual([[]]);
		expect(connect).not.toHaveBeenCalled();
	});

	test('come out without hints where n8n has no place for these', async () => {
		const { outcome } = started({
			items: 1,
			work: async function* (item, { addHint }) {
				addHint('a list was cut short');
				yield { of: item };
			},
		});
		expect(await outcome).toEqual([[{ json: { of: 0 }, pairedItem: { item: 0 } }]]);
	});

	test('know the time zone of the workflow, and remember together', async () => {
		const seen = sharedKey('test.seen', () => new Set<number>());
		const { outcome } = started({
			work: async function* (item, { timezone, shared: memory }) {
				yield { timezone, before: memory(seen).size };
				memory(seen).add(item);
			},
		});
		expect((await outcome)[0]?.map(({ json }) => json)).toEqual(
			[0, 1, 2].map((before) => ({ timezone: 'Asia/Tokyo', before })),
		);
	});
});

describe('the widths of a run', () => {
	/** Returns the highest number of items that were in work at the same time. */
	async function together(scene: Scene): Promise<number> {
		let underWay = 0;
		let most = 0;
		await started({
			items: 9,
			...scene,
			work: async function* () {
				most = Math.max(most, ++underWay);
				await late(3, undefined);
				underWay--;
				yield {};
			},
		}).outcome;
		return most;
	}

	test('are those of the client', async () => {
		expect(await together({ client: { parallelItems: 4 } })).toBe(4);
	});

	test('are as many more as one request serves, where an operation shares requests', async () => {
		const client = { parallelItems: 2 };
		expect(await together({ client, operation: { itemsPerRequest: 3 } })).toBe(6);
	});

	test('are all items where an operation waits', async () => {
		expect(await together({ client: { parallelItems: 2 }, operation: { waits: true } })).toBe(9);
	});
});

describe('a failed item', () => {
	const REFUSED = new RequestFailure('No such thing', { description: 'GET / answered 404.' });

	test('ends the run with its number, and nothing more is sent', async () => {
		const { outcome, sent, closed } = started({ items: 5, work: failing(REFUSED) });
		await expect(outcome).rejects.toMatchObject({
			message: 'No such thing',
			description: 'GET / answered 404.',
			context: { itemIndex: 1 },
		});
		expect(sent).toEqual([0]);
		expect(closed).toHaveBeenCalledTimes(1);
	});

	test('is an item with its error and no more when the node goes on', async () => {
		const { outcome, sent, closed } = started({ continues: true, work: failing(REFUSED) });
		expect(await outcome).toEqual([
			[
				{ json: { asked: 0 }, pairedItem: { item: 0 } },
				{
					json: { error: 'No such thing', message: 'GET / answered 404.' },
					pairedItem: { item: 1 },
				},
				{ json: { asked: 2 }, pairedItem: { item: 2 } },
			],
		]);
		expect(sent).toEqual([0, 2]);
		expect(closed).toHaveBeenCalledTimes(1);
	});

	test('that the user has to mend says what to enter', async () => {
		const wrong = new InvalidInput("'Amount' is required", 'Enter a value.');
		await expect(started({ work: failing(wrong) }).outcome).rejects.toMatchObject({
			message: "'Amount' is required",
			description: 'Enter a value.',
			context: { itemIndex: 1 },
		});
	});

	test('of several that fails first in their order is the one that is reported', async () => {
		const { outcome } = started({
			client: { parallelItems: 3 },
			work: async function* (item) {
				await late(3 - item, undefined);
				yield await Promise.reject(new RequestFailure(`No ${item}`));
			},
		});
		// Item 0 is reported although the last item fails first: the other items are in work, so they are not stopped.
		await expect(outcome).rejects.toMatchObject({ message: 'No 0', context: { itemIndex: 0 } });
	});

	test('gets the advice of its operation, and the secrets of the client are struck', async () => {
		const { outcome } = started({
			operation: { advice: ({ message }) => `Look at ${message.length} letters.` },
			work: failing(new RequestFailure('hidden-token is wrong'), 0),
		});
		await expect(outcome).rejects.toMatchObject({
			message: '*** is wrong',
			description: 'Look at 21 letters.',
		});
	});

	test.each([
		['spends', true, /check before you send it again/],
		['reads', false, /^undefined$/],
	])('that %s and may have been carried out is reported as that', async (_does, spends, words) => {
		const lost = new RequestFailure('Lost', { maybeExecuted: true });
		const { outcome } = started({
			items: 1,
			client: {
				isAtMostOnce: () => spends,
				call: () => Promise.reject(lost),
			},
		});
		const failure: unknown = await outcome.catch((error: unknown) => error);
		expect(failure).toMatchObject({ message: 'Lost' });
		expect(String((failure as { description?: string }).description)).toMatch(words);
	});

	test('says what others have spent', async () => {
		const { outcome } = started({
			operation: { atMostOnce: true },
			client: { call: async (hash) => await Promise.resolve({ hash: `0x${hash}` }) },
			work: failing(REFUSED, 2),
		});
		await expect(outcome).rejects.toMatchObject({
			description: 'GET / answered 404. Carried out: item 0 (0x0), item 1 (0x1).',
		});
	});

	test('sends nothing that would have followed from its other calls', async () => {
		const { outcome, sent } = started({
			items: 1,
			continues: true,
			work: async function* (_item, { call }) {
				const later = (async () => {
					await late(5, undefined);
					return await call(7);
				})();
				later.catch(() => undefined);
				yield await Promise.reject(REFUSED);
			},
		});
		await outcome;
		await late(20, undefined);
		expect(sent).toEqual([]);
	});
});

test('what waits to go on when a run is over goes on no more', async () => {
	let waiting: Promise<void> | undefined;
	const { outcome } = started({
		items: 1,
		continues: true,
		work: async function* (_item, { call, wait }) {
			waiting = wait(3_600_000);
			waiting.catch(() => undefined);
			yield await call(1);
		},
	});
	await outcome;
	await expect(waiting).rejects.toThrow('The execution was canceled');
});

describe('an operation with a limit', () => {
	const fields = [{ displayName: 'Limit', name: 'limit', type: 'number', default: 50 }] as const;

	test('is asked for no more, and cleans up', async () => {
		const cleaned = jest.fn();
		const { outcome, sent } = started({
			items: 1,
			given: { limit: 2 },
			operation: { fields },
			work: async function* (_item, { call }) {
				try {
					for (let at = 1; ; at++) yield await call(at);
				} finally {
					cleaned();
				}
			},
		});
		expect((await outcome)[0]).toHaveLength(2);
		expect(sent).toEqual([1, 2]);
		expect(cleaned).toHaveBeenCalledTimes(1);
	});
});

describe('a run that cannot begin', () => {
	const REFUSED = new RequestFailure('No credential');
	const connect = () => Promise.reject(REFUSED);

	test('fails', async () => {
		await expect(started({ connect }).outcome).rejects.toMatchObject({ message: 'No credential' });
	});

	test('fails each item where the node goes on', async () => {
		const [items] = await started({ connect, continues: true }).outcome;
		expect(items).toEqual(
			[0, 1, 2].map((item) => ({ json: { error: 'No credential' }, pairedItem: { item } })),
		);
	});

	test('because its operation does not exist says so', async () => {
		const { outcome } = started({ given: { operation: 'gone' } });
		await expect(outcome).rejects.toMatchObject({ message: 'This operation does not exist' });
	});
});

describe("n8n's Stop", () => {
	test('before the run sends nothing', async () => {
		const { outcome, sent, closed } = started({ cancelled: AbortSignal.abort() });
		await expect(outcome).rejects.toThrow('The execution was canceled');
		expect(sent).toEqual([]);
		expect(closed).toHaveBeenCalledTimes(1);
	});

	test('in the middle ends waits and sends nothing more, though the node goes on', async () => {
		const user = new AbortController();
		const { outcome, sent, closed } = started({
			cancelled: user.signal,
			continues: true,
			work: async function* (item, { call, wait }) {
				yield await call(item);
				if (item === 1) setImmediate(() => user.abort());
				if (item === 1) await wait(3_600_000);
			},
		});
		await expect(outcome).rejects.toThrow('The execution was canceled');
		expect(sent).toEqual([0, 1]);
		expect(closed).toHaveBeenCalledTimes(1);
	});
});

/** Gives the value after the given number of turns of the event loop. */
async function late<T>(turns: number, value: T): Promise<T> {
	for (let left = turns; left > 0; left--) await new Promise(setImmediate);
	return value;
}
