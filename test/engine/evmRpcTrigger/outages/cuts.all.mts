import type { IDataObject } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import { moment, numbersOf, scene, waitUntil, upTo } from '../support/scene.mts';

const { sandbox, on, active, height, mine, drop, set, sockets } = scene();

/** The trigger gives up a connection that does not open or answer within this time, in milliseconds. */
const LIMIT = 1_000;

let notes: Awaited<ReturnType<typeof deployContract>>;
beforeAll(async () => (notes = await deployContract(sandbox, 'Notes')));

const subjectsOf = (items: readonly IDataObject[]) =>
	items.map(({ topics }) => Number((topics as string[]).at(-1)));

/** Creates a function that writes logs with increasing numbers, each in a block of its own. */
function logger() {
	let count = 0;
	return {
		logged: () => upTo(count, count),
		log: async (times: number) => {
			for (const end = count + times; count < end; ) {
				const data = notes.data('erase(uint256)', ++count);
				await sandbox.mined({ from: notes.owner, to: notes.address, data });
			}
		},
	};
}

/** Watches a chain with two triggers, which must emit all its blocks and all its logs. */
async function watched() {
	const before = await height();
	const blocks = await active(on());
	const logs = await active(on({ event: 'log', addresses: notes.address }));
	const { log, logged } = logger();
	return {
		/** Adds `count` blocks to the chain. The first `withLogs` blocks have a log each. */
		grow: async (count: number, withLogs: number) => {
			await log(withLogs);
			if (count > withLogs) await mine(count - withLogs);
		},
		reports: () => [...blocks.failures, ...logs.failures],
		settle: async () => {
			const count = (await height()) - before;
			await blocks.has(count);
			await logs.has(logged().length);
			await moment(150);
			expect(numbersOf(blocks.items())).toEqual(upTo(before + count, count));
			expect(subjectsOf(logs.items())).toEqual(logged());
			expect(
				[...blocks.items(), ...logs.items()].filter((one) => one.reorganized || one.removed),
			).toEqual([]);
			return count;
		},
	};
}

/** The test test/unit/chain/model.test covers combinations of cuts in any number and order, without sockets. */
describe('a cut', () => {
	test.each([
		['a close', 'close', {}],
		['a reset', 'reset', {}],
		['503 on the way back', 'close', { refuse: 503 }],
		['401 on the way back', 'reset', { refuse: 401 }],
		['a reset on the way back', 'close', { refuse: 'reset' }],
		['no answer on the way back', 'close', { refuse: 'hang' }],
	] as const)('by %s leaves nothing out, and emits nothing twice', async (_by, how, settings) => {
		shortenTimes({ openingMs: LIMIT, requestTimeoutMs: LIMIT });
		const { grow, reports, settle } = await watched();
		await grow(5, 2);
		await waitUntil(async () => (await sockets()).open > 1);
		await set(settings);
		await drop(how);
		await grow(9, 3);
		if ('refuse' in settings) await waitUntil(async () => (await sockets()).refused > 0);
		await set({});
		expect(await settle()).toBe(14);
		expect(reports()).toEqual([]);
	});

	test('by silence, which nothing ends, leaves nothing out either', async () => {
		shortenTimes({ openingMs: LIMIT, requestTimeoutMs: LIMIT });
		const { grow, reports, settle } = await watched();
		const { opened } = await sockets();
		await set({ silent: true });
		await grow(9, 3);
		await waitUntil(async () => (await sockets()).opened > opened);
		await set({});
		expect(await settle()).toBe(9);
		expect(reports()).toEqual([]);
	});
});

test.each([
	[{ duplicate: true }],
	[{ shuffle: true }],
	[{ duplicate: true, shuffle: true, delay: 30 }],
	[{ mute: true }],
])('through %j', async (settings) => {
	const { grow, reports, settle } = await watched();
	await set(settings);
	for (let part = 0; part < 3; part++) {
		await grow(12, 4);
		if (part === 1) await drop('reset');
	}
	await settle();
	expect(reports()).toEqual([]);
});

test('through a limit that the way back does not fit in', async () => {
	shortenTimes({ pauseMs: 400 });
	const trigger = await active();
	await set({ refuse: 503 });
	await drop('close');
	const numbers = await mine(100);
	const limits = { callsPerSecond: 90, as: 'rpc', oversize: 'refuse', room: 'node' };
	await sandbox.control('PUT', '/limits', limits);
	await set({});
	expect(numbersOf(await trigger.has(100))).toEqual(numbers);
});
