import fc from 'fast-check';
import type { JsonObject } from '../../../nodes/core/values/json';
import { createBlockView, createLogView } from '../../../nodes/core/evm/follow/views';
import type { RpcReader } from '../../../nodes/core/chain/reader';
import {
	createFollowingReader,
	createPollingReader,
	type MakeReader,
	type Reader,
} from '../support/readers.mts';
import { getCaseCount } from '../../harness/caseCount.mts';
import {
	anyGrowth,
	anyLag,
	anyReorganization,
	UnsteadyNode,
	type Change,
} from '../support/unsteadyNode.mts';

/**
 * These tests run both triggers on random chains. Whatever the chain, its node and the connection do, each event
 * must be emitted once, and taken back once if it is replaced. The library fast-check reduces a failure to the few
 * steps that cause it. The test `advance.test` checks single steps while the chain changes, because here a later
 * step would correct a mistake.
 */

const SEED = 20261120;

const change: fc.Arbitrary<Change> = fc.oneof(
	anyGrowth(25),
	anyGrowth(2),
	anyReorganization,
	anyLag,
	fc.record({ do: fc.constant('index' as const), by: fc.nat(3) }),
	fc.record({ do: fc.constant('limit' as const), blocks: fc.integer({ min: 1, max: 60 }) }),
	fc.record({ do: fc.constant('fail' as const), calls: fc.integer({ min: 1, max: 3 }) }),
	{
		weight: 1,
		arbitrary: fc.constant({ do: 'grow' as const, blocks: Array<number>(130).fill(1) }),
	},
);

const read = fc.record({
	do: fc.constant('read' as const),
	reach: fc.oneof(fc.constant(1_000), fc.integer({ min: 0, max: 40 })),
	below: fc.constantFrom(0, 0, 0, 3),
	meanwhile: fc.option(fc.record({ answer: fc.nat(30), change }), { nil: undefined }),
});

const step = fc.oneof(
	{ weight: 4, arbitrary: change },
	{ weight: 4, arbitrary: read },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('hear' as const), times: fc.nat(2) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const everyLog = (chain: RpcReader) =>
	createLogView(chain, {
		filters: [{ addresses: [], topics: [] }],
		format: async (logs) => await Promise.resolve(logs.map((log) => [log])),
		isTimed: false,
		reportDoubt: () => {},
	});
const everyBlock = (chain: RpcReader) => createBlockView(chain, (block) => block);

const VIEWS = [
	['logs', everyLog, expectLogs],
	['blocks', everyBlock, expectBlocks],
] as const;

const READERS: ReadonlyArray<readonly [string, MakeReader, number]> = [
	['polls', createPollingReader, 250],
	['a line', createFollowingReader, 200],
];

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe.each(READERS)('by %s', (_by, makeReader, numRuns) => {
	test.each(VIEWS)('%s are emitted as they are on the chain, whatever it does', async (...view) => {
		const [, viewOn, expectAll] = view;
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				const node = new UnsteadyNode();
				const reader = await makeReader(node, viewOn);
				for (const one of steps) {
					const isSettled = await carriedOut(one, node, reader);
					if (isSettled) expectAll(reader.emitted, node);
					expect(reader.cursor.checkpoints.length).toBeLessThanOrEqual(64);
				}
				await settled(node, reader);
				expectAll(reader.emitted, node);
				await reader.end();
			}),
			{ seed: SEED, numRuns: getCaseCount(numRuns) },
		);
	});
});

/** Carries out a step. Returns whether the reader must have reached the latest block afterwards. */
async function carriedOut(one: Step, node: UnsteadyNode, reader: Reader): Promise<boolean> {
	switch (one.do) {
		case 'read': {
			const { changes } = node;
			node.changeDuring(one.meanwhile);
			const isRead = await reader.read(one);
			node.changeDuring(undefined);
			return isRead && node.changes === changes && isAtHead(node, reader);
		}
		case 'hear':
			reader.setAnnouncements(one.times);
			return false;
		case 'cut':
			await reader.disconnect();
			return false;
		default:
			node.change(one);
			return false;
	}
}

/**
 * Tells whether the reader has read the whole chain. The result is false if the node lags. It is also false if the
 * chain has become shorter, because the reader takes the node for a lagging node.
 */
function isAtHead(node: UnsteadyNode, { cursor }: Reader): boolean {
	const isWhole = node.height === node.start + node.blocksSinceStart.length;
	return isWhole && cursor.next === node.height + 1 && cursor.highest <= node.height;
}

/** Makes the chain node answer correctly again, and lets the reader read all remaining blocks. */
async function settled(node: UnsteadyNode, reader: Reader): Promise<void> {
	node.stabilize();
	reader.setAnnouncements(1);
	do node.change({ do: 'grow', blocks: [1] });
	while (node.height <= reader.cursor.highest);
	const all = { reach: 1_000, below: 0 };
	for (let tries = 5; tries > 0 && !(await reader.read(all)); ) tries--;
	expect(reader.cursor.next).toBe(node.height + 1);
}

/** Checks that each log was emitted once, and that logs were removed from the latest to the first. */
function expectLogs(items: readonly JsonObject[], node: UnsteadyNode): void {
	const emitted: JsonObject[] = [];
	for (const { removed, ...log } of items) {
		if (removed) expect(emitted.pop()).toEqual(log);
		else emitted.push(log);
	}
	expect(emitted).toEqual(node.blocksSinceStart.flatMap((block) => node.getLogs(block)));
}

/** Checks that each block was emitted once, and that replacements are marked as such. */
function expectBlocks(items: readonly JsonObject[], node: UnsteadyNode): void {
	const emitted = new Map<number, unknown>();
	const hashes = new Set<unknown>();
	for (const { number: height, hash, reorganized } of items) {
		const number = Number(height);
		expect(number).toBeLessThanOrEqual(node.start + emitted.size + 1);
		expect([reorganized, hashes.has(hash)]).toEqual([emitted.has(number), false]);
		hashes.add(hash);
		emitted.set(number, hash);
	}
	const last = [...emitted].filter(([number]) => number <= node.height);
	const there = node.blocksSinceStart.map(({ hash }) => hash);
	expect(last.sort(([a], [b]) => a - b).map(([, hash]) => hash)).toEqual(there);
}
