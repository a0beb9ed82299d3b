import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ours, save, type Parameters } from '../e2e/workflows.mts';
import { demo } from '../e2e/world.mts';
import { keepEmittedItems, rows, readEmittedItems } from './database.mts';
import { blocksBetween, logsBetween } from './miner.mts';

export interface Watch {
	name: string;
	/** Whether n8n polls the trigger, at most once a minute. After a kill, n8n may poll twice at the same moment. */
	polls: boolean;
	id: string;
	/** Returns the number of the block that an item belongs to. */
	blockOf: (item: Record<string, unknown>) => number;
	/** Returns the events on the chain itself, by the numbers of their blocks. */
	between: (from: number, to: number) => Promise<number[]>;
}

type Kind = Omit<Watch, 'id'> & { type: string; parameters: () => Parameters };

const PATIENCE = 120_000;
/** The delay before the first poll. n8n then polls once a minute, which is its highest rate. */
const FIRST_POLL = 10_000;

const blocks = { blockOf: ({ number }: Parameters) => Number(number), between: blocksBetween };
const logs = {
	blockOf: ({ blockNumber }: Parameters) => Number(blockNumber),
	between: logsBetween,
};

const KINDS: readonly Kind[] = [
	{
		...blocks,
		name: 'EVM RPC Trigger, blocks',
		type: 'evmRpcTrigger',
		polls: false,
		parameters: () => ({ event: 'newBlock' }),
	},
	{
		...logs,
		name: 'EVM RPC Trigger, logs',
		type: 'evmRpcTrigger',
		polls: false,
		parameters: () => ({ event: 'log', addresses: demo.chain.token }),
	},
	{
		...blocks,
		name: 'Activity Trigger, blocks',
		type: 'activityTrigger',
		polls: true,
		parameters: () => {
			const second = new Date(Date.now() + FIRST_POLL).getSeconds();
			const item = [{ mode: 'custom', cronExpression: `${second} * * * * *` }];
			return { event: 'newBlock', pollTimes: { item } };
		},
	},
];

/** Starts workflows that consist of a trigger. Returns when each trigger has stored its position on the chain. */
export async function watchChain(): Promise<Watch[]> {
	await keepEmittedItems();
	const watches: Watch[] = [];
	for (const { type, parameters, ...kind } of KINDS) {
		const id = await save({ nodes: [ours(type, 'token', parameters())], connections: {} });
		await demo.api.activate(id);
		watches.push({ ...kind, id });
	}
	for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await sleep(500)) {
		if (await hasPolled()) return watches;
	}
	throw new Error('n8n has not polled');
}

/**
 * Returns whether the polling trigger has stored its position. With n8n's durable cursors, it does so at its first
 * poll, not when it is activated.
 */
async function hasPolled(): Promise<boolean> {
	const query = `SELECT 1 FROM poller_state WHERE length(cursor::text) > 2`;
	return (await rows(query)).length > 0;
}

interface Tally {
	count: number;
	lost: number[];
	doubled: number[];
	isInOrder: boolean;
}

/** Compares the stored items with the chain. There is a result for each range between two heights. */
async function compare(watch: Watch, heights: readonly number[]): Promise<Tally[]> {
	const emitted = (await readEmittedItems(watch.id)).flat().map(watch.blockOf);
	return await Promise.all(
		heights.slice(1).map(async (to, index) => {
			const from = heights[index] ?? 0;
			const wanted = await watch.between(from, to);
			const here = emitted.filter((one) => one > from && one <= to);
			return {
				count: wanted.length,
				lost: wanted.filter((one) => !here.includes(one)),
				doubled: here.filter((one, at) => here.indexOf(one) !== at),
				isInOrder: here.every((one, at) => at === 0 || one >= (here[at - 1] ?? 0)),
			};
		}),
	);
}

/** Waits until everything has arrived. */
export async function waitUntilEmitted(watch: Watch, heights: readonly number[]): Promise<Tally[]> {
	for (const deadline = Date.now() + PATIENCE; ; await sleep(1000)) {
		const tallies = await compare(watch, heights);
		const isAll = tallies.every(({ lost }) => lost.length === 0);
		if (isAll || Date.now() > deadline) return tallies;
	}
}

/** Asserts that no event of the chain is missing and that none is emitted twice. */
export async function assertEmitted(
	watches: readonly Watch[],
	heights: readonly number[],
	print: (line: string) => void,
): Promise<void> {
	const wrong: object[] = [];
	for (const watch of watches) await waitUntilEmitted(watch, heights);
	// The pause gives duplicates time to arrive.
	await sleep(2000);
	for (const watch of watches) {
		for (const [index, tally] of (await compare(watch, heights)).entries()) {
			const { count, lost, doubled, isInOrder } = tally;
			const range = `${(heights[index] ?? 0) + 1} to ${heights[index + 1]}`;
			const order = isInOrder ? 'in order' : 'out of order';
			const words = `${count}, ${lost.length} lost, ${doubled.length} doubled, ${order}`;
			print(`${watch.name}, ${range}: ${words}`);
			// Duplicates of a polling trigger are allowed, because n8n may poll twice at the same moment after a kill.
			const again = watch.polls ? [] : doubled;
			if (lost.length + again.length > 0) wrong.push({ name: watch.name, lost, doubled: again });
		}
	}
	assert.deepEqual(wrong, []);
}

/** Returns the outcomes of all executions of the workflows, once they have stopped changing. */
export async function endsOfAll(watches: readonly Watch[]): Promise<string[]> {
	const ids = watches.map(({ id }) => `'${id}'`).join();
	const query = `SELECT "workflowId" AS id, string_agg(count || ' ' || status, ', ' ORDER BY status) AS ends FROM (
		SELECT "workflowId", status, count(*) FROM execution_entity WHERE "workflowId" IN (${ids}) GROUP BY 1, 2
	) AS counted GROUP BY 1`;
	let before = '';
	for (const deadline = Date.now() + PATIENCE; ; await sleep(QUIET)) {
		const found = await rows<{ id: string; ends: string }>(query);
		const now = JSON.stringify(found);
		if (now === before || Date.now() > deadline) {
			return watches.map(({ id, name }) => `${name}: ${found.find((one) => one.id === id)?.ends}`);
		}
		before = now;
	}
}

/** If no outcome changes for this time, all executions count as finished: a busy worker would have ended one. */
const QUIET = 5000;
