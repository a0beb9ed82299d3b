import type { IDataObject } from 'n8n-workflow';
import { figure } from '../../../harness/figure.mts';
import { createLateIndex, TOKEN_ADDRESS, type LateIndex } from '../../../harness/lateIndex.mts';
import { fakeWorkflows } from '../support/fakeWorkflows.mts';

const { node, active } = fakeWorkflows();

const TRANSFERS = { event: 'tokenTransfer', tokens: TOKEN_ADDRESS };

/** Returns the remaining values: removals take back the latest. */
function valuesIn(items: readonly IDataObject[]): number[] {
	const values: number[] = [];
	for (const { value, removed } of items) {
		if (removed) expect(values.pop()).toBe(Number(value));
		else values.push(Number(value));
	}
	return values;
}

/** A workflow that polls a chain with this lag. */
async function polledOn(lag: LateIndex) {
	const settings = { ...lag };
	const chain = createLateIndex(node, settings);
	node.height = 1000;
	node.setAnswers(chain.answers);
	const workflow = await active(TRANSFERS);
	const items: IDataObject[] = [];
	const errors: string[] = [];
	return {
		...chain,
		settings,
		errors,
		start: node.height,
		values: () => valuesIn(items),
		/** Polls after this many seconds. */
		pollAfter: async (seconds: number) => {
			chain.pass(seconds);
			const polled = await workflow.poll();
			items.push(...polled.items);
			if (polled.error) errors.push(polled.error.message);
		},
	};
}

type Polling = Awaited<ReturnType<typeof polledOn>>;

/** Expects everything so far to arrive in the end, once and in order, and nothing else before it. */
async function allComes({ transfersAfter, start, pollAfter, values, errors }: Polling) {
	const made = transfersAfter(start);
	for (const seconds of [120, 0, 0]) await pollAfter(seconds);
	expect(values().slice(0, made.length)).toEqual(made);
	expect(errors).toEqual([]);
}

const KINDS: Array<[string, Pick<LateIndex, 'blooms' | 'receipts'>]> = [
	['with blooms and receipts', { blooms: 'right', receipts: 'there' }],
	['with blooms alone', { blooms: 'right', receipts: 'refused' }],
	['with blank blooms, and receipts that are late', { blooms: 'blank', receipts: 'late' }],
	['with blank blooms alone', { blooms: 'blank', receipts: 'refused' }],
	['without blooms, with receipts', { blooms: 'missing', receipts: 'there' }],
];

const SECONDS = 120;

describe.each(KINDS)('a chain of four blocks a second, %s', (_what, kind) => {
	test.each([
		[10, 15],
		[10, 60],
		[59, 60],
	])(
		'an index %i s late, polls every %i s: no transfer is lost, none comes twice',
		async (seconds, interval) => {
			const polling = await polledOn({ seconds, ...kind });
			for (let left = SECONDS; left > 0; left -= interval) await polling.pollAfter(interval);
			await allComes(polling);
		},
	);
});

describe.each(KINDS)('a chain of four blocks a second, %s', (_what, kind) => {
	test.each([10, 40])(
		'a reorganization of %i blocks, some of which an index did not have: what is left is what there is',
		async (depth) => {
			const polling = await polledOn({ seconds: 5, ...kind });
			await polling.pollAfter(30);
			node.fork = node.height - depth;
			await polling.pollAfter(0);
			await polling.pollAfter(20);
			await allComes(polling);
		},
	);
});

test('once a gateway has shown a log in a block with a blank bloom, none is lost that is late in such a block', async () => {
	const polling = await polledOn({ seconds: 0, blooms: 'mixed', receipts: 'there' });
	await polling.pollAfter(20);
	polling.settings.seconds = 30;
	for (let polls = 8; polls > 0; polls--) await polling.pollAfter(15);
	await allComes(polling);
});

test('an index that never has the logs of a block is reported, and the next blocks come', async () => {
	const polling = await polledOn({ seconds: 0, blooms: 'right', receipts: 'refused' });
	polling.settings.seconds = 100_000;
	await polling.pollAfter(1);
	expect(polling.errors).toEqual([]);
	await polling.pollAfter(300);
	expect(polling.errors).toEqual([expect.stringMatching(/^Logs of block 1002 may be missing/)]);
	polling.settings.seconds = 0;
	await polling.pollAfter(1);
	expect(polling.values().at(-1)).toBe(node.height - (node.height % 3));
	expect(polling.errors).toHaveLength(1);
});

test.each<[string, LateIndex, number]>([
	['its bloom says that it is quiet', { seconds: 0, blooms: 'right', receipts: 'there' }, 1.6],
	['it has no bloom', { seconds: 0, blooms: 'blank', receipts: 'there' }, 2.3],
	['blooms are mixed', { seconds: 0, blooms: 'mixed', receipts: 'there' }, 2.2],
	['nothing but the index can prove it', { seconds: 0, blooms: 'missing', receipts: 'refused' }, 6],
])('a poll a minute: what a block costs where %s', async (what, lag, most) => {
	const polling = await polledOn(lag);
	await polling.pollAfter(60);
	const before = node.calls.length;
	for (let polls = 3; polls > 0; polls--) await polling.pollAfter(60);
	const calls = (node.calls.length - before) / (3 * 60 * 4);
	figure(
		`Calls for a block of a poll a minute, four blocks a second, where ${what}: ${calls.toFixed(2)}`,
	);
	expect(calls).toBeLessThanOrEqual(most);
	await allComes(polling);
});
