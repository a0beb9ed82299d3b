import type { ReservingOperation, RunContext } from '../../../nodes/core/operation/operation';
import { collectResults } from '../../../nodes/core/run';
import { rpcOperation, type Chain } from '../../../nodes/core/protocols/rpc/operation';
import { createContext } from '../support/chains.mts';

/**
 * These tests check that an item reserves something, such as a nonce, before it waits, and releases it at its end.
 */

const INFO = { name: 'Name', action: 'Action', description: 'Description', fields: [] } as const;
const context = createContext(async () => await Promise.resolve(undefined));

interface Place {
	readonly place: number;
	release(): void;
}

/** Creates an operation whose items wait for a number of ticks, and then give their outcomes, or fail. */
function open() {
	const events: string[] = [];
	let next = 0;
	const operation = (ticks: number, outcomes: readonly unknown[] = [undefined]) => ({
		...INFO,
		reserve: (): Place => {
			const place = ++next;
			events.push(`reserve ${place}`);
			return { place, release: () => void events.push(`release ${place}`) };
		},
		async *run(_p: unknown, _context: unknown, { place }: Place) {
			for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
			for (const outcome of outcomes) {
				if (outcome instanceof Error) throw outcome;
				yield place;
			}
		},
	});
	return { events, operation };
}

const collect = async (
	operation: ReservingOperation<never, readonly never[], Place>,
	given: object = {},
) => await collectResults(operation, { ...given }, context as RunContext<never>);

test('places are in the order of the items, however long each of them takes', async () => {
	const { events, operation } = open();
	const results = await Promise.all(
		[9, 0, 4].map(async (ticks) => await collect(operation(ticks))),
	);
	expect(results).toEqual([[1], [2], [3]]);
	expect(events.slice(0, 3)).toEqual(['reserve 1', 'reserve 2', 'reserve 3']);
	expect(events.slice(3).toSorted()).toEqual(['release 1', 'release 2', 'release 3']);
});

test.each<[string, readonly unknown[], object]>([
	['fails', [new Error('no')], {}],
	['fails after a result', [1, new Error('no')], {}],
	['is stopped by its limit', [1, 2, 3], { limit: 1 }],
	['has no results', [], {}],
])('an item that %s gives its place up', async (_, outcomes, given) => {
	const { events, operation } = open();
	await collect(operation(1, outcomes), given).catch(() => {});
	expect(events).toEqual(['reserve 1', 'release 1']);
});

test('an item that fails before it has begun gives its place up', async () => {
	const { events, operation } = open();
	const run = () => {
		throw new Error('no');
	};
	await expect(collect({ ...operation(0), run })).rejects.toThrow('no');
	expect(events).toEqual(['reserve 1', 'release 1']);
});

test('an item that cannot reserve fails, and is not run', async () => {
	const run = jest.fn();
	const reserve = () => {
		throw new Error('full');
	};
	await expect(collect({ ...INFO, reserve, run })).rejects.toThrow('full');
	expect(run).not.toHaveBeenCalled();
});

test('over JSON-RPC, it reserves and runs on the chain at the path of the item', async () => {
	const asked: unknown[] = [];
	const chain = createContext(async ({ path }: { path: unknown }) => {
		asked.push(path);
		return await Promise.resolve(undefined);
	});
	const ask = async (given: Chain) => await given.call('x', []);
	const operation = rpcOperation({
		...INFO,
		reserve: (_p, given) => ({ asking: ask(given), release: () => {} }),
		async *run(_p, given, { asking }) {
			yield [await asking, await ask(given)];
		},
	});
	await collectResults(operation, { path: '/one' }, chain);
	expect(asked).toEqual(['/one', '/one']);
});
