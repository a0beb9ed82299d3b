import {
	ExecutionCancelledError,
	ManualExecutionCancelledError,
	UserError,
	type IDataObject,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { Database } from '../../../harness/database.mts';
import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { buildHash, withLogs } from '../../../harness/evmChain.mts';
import {
	FIRST_TRANSFER,
	getLogNames,
	getLogNamesBetween,
	TRANSFERS,
} from '../../../harness/fakeChain.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { AMPLE, shortenTimes } from '../support/shortTimes.mts';
import { moment, numbersOf, waitUntil, upTo } from '../support/scene.mts';

const { node, listening } = fakeScene();

/** Makes every block contain a log. */
const addLogs = () => (node.contentsOf = () => withLogs(FIRST_TRANSFER));

const TRANSFER = 'Transfer(address,address,uint256)';

let database: Database;
beforeEach(() => {
	shortenTimes({ gatheringMs: 0 });
	database = new Database();
});

const cursorIn = ({ staticData }: Database) =>
	((staticData['node:Tested'] as IDataObject).saved as { cursor: { next: number } }).cursor;

/** Starts the trigger again after a restart of n8n, with the content of its database. */
const restarted = async (mode: WorkflowActivateMode = 'init') =>
	await listening({}, { database, mode, staticData: structuredClone(database.staticData) });

const heights = (trigger: ActiveTrigger) => numbersOf(trigger.items());

/** Mines slowly, so that the trigger reads each block by itself. */
async function mineSlowly(blocks: number): Promise<void> {
	for (let count = 0; count < blocks; count++) {
		node.mine();
		await moment(5);
	}
}

describe('an execution that n8n could not store', () => {
	test('starts when it can, before all that came after it', async () => {
		const trigger = await listening({}, { database });
		node.mine();
		await trigger.has(1);
		database.isAway = true;
		await mineSlowly(30);
		expect(heights(trigger)).toEqual([11]);
		database.isAway = false;
		expect(numbersOf(await trigger.has(31))).toEqual(upTo(41, 31));
		await mineSlowly(2);
		expect(numbersOf(await trigger.has(33))).toEqual(upTo(43, 33));
		expect(Math.max(...database.keys.values())).toBe(1);
	});

	test('is kept in what n8n stores, and starts after a restart', async () => {
		const trigger = await listening({}, { database });
		node.mine();
		await trigger.has(1);
		const insert = database.insert.bind(database);
		database.insert = () => Promise.reject(new Error('The disk is full'));
		await mineSlowly(3);
		await waitUntil(() => cursorIn(database).next > 12);
		await trigger.close();
		database.insert = insert;
		const next = await restarted();
		expect(numbersOf(await next.has(4))).toEqual(upTo(14, 4));
	});

	test('holds up reading: little is kept in memory while the database is away', async () => {
		shortenTimes({ gatheringMs: 0, idleMs: AMPLE });
		const trigger = await listening({}, { database });
		database.isAway = true;
		const insert = jest.spyOn(database, 'insert');
		node.mine();
		await waitUntil(() => insert.mock.calls.length > 0);
		const before = node.calls.length;
		await mineSlowly(100);
		expect(node.calls.length - before).toBeLessThan(5);
		database.isAway = false;
		expect(numbersOf(await trigger.has(101))).toEqual(upTo(111, 101));
	});

	test('of pending transactions starts, too', async () => {
		const trigger = await listening({ event: 'pendingTransaction' }, { database });
		const hashes = upTo(9, 9).map((digit) => `0x${String(digit).repeat(64)}`);
		database.isAway = true;
		for (const hash of hashes) {
			node.announce(hash);
			await moment(2);
		}
		database.isAway = false;
		expect(await trigger.has(9)).toEqual(hashes.map((result) => ({ result })));
	});
});

describe('an execution that was stored', () => {
	test('and goes on for long holds nothing up', async () => {
		database.execute = async () => await new Promise(() => {});
		const trigger = await listening({}, { database });
		await mineSlowly(20);
		expect(numbersOf(await trigger.has(20))).toEqual(upTo(30, 20));
		expect(cursorIn(database).next).toBe(31);
	});

	test.each<[string, () => Error]>([
		['was cancelled', () => new ManualExecutionCancelledError('1')],
		[
			'was over before n8n looked',
			() => new (class ExecutionNotFoundError extends Error {})('No active execution found'),
		],
	])('and %s is not started again', async (_what, error) => {
		expect(new ManualExecutionCancelledError('1')).toBeInstanceOf(ExecutionCancelledError);
		database.execute = () => Promise.reject(error());
		const trigger = await listening({}, { database });
		await mineSlowly(3);
		await trigger.has(3);
		await moment(100);
		expect(heights(trigger)).toEqual([11, 12, 13]);
		expect([...database.keys.values()]).toEqual(trigger.executions.map(() => 1));
	});
});

test('an n8n without reports of ended executions is not asked for them', async () => {
	const insert = database.insert.bind(database);
	let attempts = 0;
	database.insert = async (items, key) => {
		if (attempts++ === 0) throw new UserError('cannot run a trigger that waits');
		return await insert(items, key);
	};
	const trigger = await listening({}, { database });
	await mineSlowly(3);
	expect(numbersOf(await trigger.has(3))).toEqual([11, 12, 13]);
	expect(attempts).toBe(1 + trigger.executions.length);
});

describe('of two mains that are active at the same time', () => {
	test('one starts each execution', async () => {
		const one = await listening({}, { database });
		await listening({}, { database });
		for (let blocks = 1; blocks <= 20; blocks++) {
			node.mine();
			// Before the next block, the loop waits until both mains have tried to start the execution of this block. A
			// main that falls behind would put several blocks into one execution.
			await waitUntil(
				() => [...database.keys.values()].filter((starts) => starts === 2).length === blocks,
			);
		}
		expect(heights(one)).toEqual(upTo(30, 20));
		expect([...database.keys.values()]).toEqual(new Array(20).fill(2));
	});

	test('another workflow, or another filter, is not deprived of its own', async () => {
		addLogs();
		const one = await listening({ event: 'log' }, { database });
		await listening({ event: 'log', topics: TRANSFER }, { database });
		node.mine();
		await one.has(2);
		expect(database.keys.size).toBe(2);
	});
});

test('a branch that comes back is emitted again', async () => {
	const trigger = await listening({}, { database });
	node.mine();
	await trigger.has(1);
	for (const forks of [[11], [], [11], []]) {
		node.forks = forks;
		const count = trigger.items().length;
		node.announce(node.buildBlock(11));
		await trigger.has(count + 1);
	}
	expect(trigger.items().map(({ hash }) => hash)).toEqual(
		[0, 1, 0, 1, 0].map((branch) => buildHash(11, branch)),
	);
	expect(Math.max(...database.keys.values())).toBe(1);
});

describe('n8n is killed', () => {
	/**
	 * The numbers of database writes before n8n is killed. A start needs two writes: of the position, and of the
	 * execution.
	 */
	const WRITES = Array.from({ length: 13 }, (_, count) => count);

	test.each(WRITES)('after %d writes: all is emitted once', async (writes) => {
		const first = await listening({}, { database });
		await mineSlowly(1);
		await first.has(1);
		database.writesLeft = writes;
		await mineSlowly(5);
		await waitUntil(() => database.writesLeft < 1 || heights(first).length > 5);
		await first.close();
		database.writesLeft = Infinity;
		await mineSlowly(2);
		const second = await restarted();
		node.mine();
		expect(numbersOf(await second.has(9))).toEqual(upTo(19, 9));
		await moment(50);
		expect([...heights(second)].sort((a, b) => a - b)).toEqual(upTo(19, 9));
	});

	test('again and again, with logs and reorganizations: nothing is lost, and nothing comes twice', async () => {
		const log = { event: 'log' };
		const life = { mode: 'init', database } as const;
		node.contentsOf = () => TRANSFERS;
		let trigger = await listening(log, { database });
		for (let kills = 0; kills < 12; kills++) {
			database.writesLeft = kills === 0 ? Infinity : kills % 5;
			await mineSlowly(3);
			if (kills === 0) await trigger.has(15);
			await moment(20);
			await trigger.close();
			database.writesLeft = Infinity;
			trigger = await listening(log, { ...life, staticData: structuredClone(database.staticData) });
			await moment(20);
		}
		const wanted = getLogNamesBetween(11, 46);
		expect(getLogNames(await trigger.has(wanted.length)).sort()).toEqual(wanted.sort());
	});

	test('what was under way when the chain was reorganized is emitted, taken back and replaced', async () => {
		addLogs();
		const first = await listening({ event: 'log' }, { database });
		await mineSlowly(1);
		await first.has(1);
		database.writesLeft = 1;
		await mineSlowly(1);
		await waitUntil(() => database.writesLeft < 1);
		await moment(20);
		await first.close();
		database.writesLeft = Infinity;
		node.reorganize(12, node.height + 1);
		const staticData = structuredClone(database.staticData);
		const second = await listening({ event: 'log' }, { database, mode: 'init', staticData });
		const items = await second.has(5);
		expect(items.map(({ blockHash, removed }) => [blockHash, removed])).toEqual([
			[buildHash(11), false],
			[buildHash(12), false],
			[buildHash(12), true],
			[buildHash(12, 1), false],
			[buildHash(13, 1), false],
		]);
	});

	test.each([1, 3])(
		'what was under way starts again although the connection is lost %d times before the database is back',
		async (cuts) => {
			const first = await listening({}, { database });
			await mineSlowly(2);
			await first.has(2);
			database.writesLeft = 1;
			await mineSlowly(1);
			await waitUntil(() => database.writesLeft < 1);
			await moment(20);
			await first.close();
			expect(heights(first)).toEqual([11, 12]);
			database.writesLeft = Infinity;
			database.isAway = true;
			shortenTimes({ gatheringMs: 0, settlingMs: 20 });
			const second = await restarted();
			for (let left = cuts; left > 0; left--) {
				const before = node.handshakes.length;
				node.disconnect();
				await waitUntil(() => node.handshakes.length > before);
				await moment(100);
			}
			await mineSlowly(1);
			database.isAway = false;
			await second.has(4);
			await moment(50);
			expect([...heights(second)].sort((a, b) => a - b)).toEqual(upTo(14, 4));
			expect(second.failures).toEqual([]);
		},
	);

	test('before it stored the position of an execution that it has stored: that one is not started again', async () => {
		const first = await listening({}, { database });
		await mineSlowly(3);
		await first.has(3);
		const { save } = database;
		database.save = () => {};
		await mineSlowly(3);
		await first.has(6);
		database.save = save;
		await first.close();
		node.height += 10;
		const second = await restarted();
		expect(numbersOf(await second.has(16))).toEqual(upTo(26, 16));
	});
});

describe('n8n ends as it should, and starts again', () => {
	/** After a restart or an edit, the workflow must not emit an item again. */
	test.each<[string, WorkflowActivateMode, boolean]>([
		['that keeps what has ended', 'init', true],
		['that keeps nothing', 'init', false],
		['another main process', 'leadershipChange', true],
		['an edited workflow', 'update', true],
		['an edited workflow, of an n8n that keeps nothing', 'update', false],
	])('%s: nothing is emitted twice', async (_what, mode, keepsEnded) => {
		database.keepsEnded = keepsEnded;
		const first = await listening({}, { database });
		await mineSlowly(3);
		await first.has(3);
		await first.close();
		const second = await restarted(mode);
		await mineSlowly(2);
		await second.has(5);
		await moment(50);
		expect(heights(second)).toEqual(upTo(15, 5));
	});

	test('in an older n8n, which knows no keys, nothing is emitted twice', async () => {
		database.isOld = true;
		const first = await listening({}, { database });
		await mineSlowly(3);
		await first.has(3);
		await first.close();
		const second = await restarted();
		await mineSlowly(1);
		await second.has(4);
		expect(heights(second)).toEqual(upTo(14, 4));
	});
});

test('a hook of n8n that refuses one execution does not make the trigger deaf', async () => {
	const trigger = await listening({}, { database });
	const insert = database.insert.bind(database);
	let refusals = 1;
	database.insert = async (items, key) => {
		if (refusals-- > 0) throw new UserError('The quota of executions is used up');
		return await insert(items, key);
	};
	await mineSlowly(1);
	await trigger.has(1);
	database.isAway = true;
	await mineSlowly(1);
	await moment(50);
	database.isAway = false;
	expect(numbersOf(await trigger.has(2))).toEqual([11, 12]);
});
