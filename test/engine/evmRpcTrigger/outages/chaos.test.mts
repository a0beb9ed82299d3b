import type { IDataObject } from 'n8n-workflow';
import { deploy } from '../../../harness/contract.mts';
import { randomFrom } from '../../../harness/random.mts';
import { hurry } from '../support/hurry.mts';
import { moment, numbersOf, scene, until, upTo } from '../support/scene.mts';

const { sandbox, on, active, height, mine, drop, set, sockets } = scene();

const SEED = Number(process.env.SEED ?? 7);
const CUTS = 20;
const BLOCKS_PER_CUT = 25;
/** After so long a connection that does not open, or does not answer, is given up. */
const LIMIT = 1_000;

let notes: Awaited<ReturnType<typeof deploy>>;
beforeAll(async () => (notes = await deploy(sandbox(), 'Notes')));

const subjectsOf = (items: readonly IDataObject[]) =>
	items.map(({ topics }) => Number((topics as string[]).at(-1)));

/** A block for each transaction, with a log that counts. */
function logger() {
	let count = 0;
	return {
		logged: () => upTo(count, count),
		log: async (times: number) => {
			for (const end = count + times; count < end; ) {
				const data = notes.data('erase(uint256)', ++count);
				await sandbox().mined({ from: notes.owner, to: notes.address, data });
			}
		},
	};
}

/** The blocks and the logs of a while, which two triggers have to tell completely. */
async function watched() {
	const before = await height();
	const blocks = await active(on());
	const logs = await active(on({ event: 'log', addresses: notes.address }));
	const { log, logged } = logger();
	return {
		/** So many blocks, some of them with a log. */
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

test(`500 blocks and their logs come once and in order through ${CUTS} cuts (seed ${SEED})`, async () => {
	hurry({ opening: LIMIT, requestTimeout: LIMIT });
	const random = randomFrom(SEED);
	const { grow, reports, settle } = await watched();
	for (let cut = 1; cut <= CUTS; cut++) {
		const whileUp = random.upTo(BLOCKS_PER_CUT);
		await grow(whileUp, random.upTo(Math.min(whileUp, 4)));
		await until(async () => (await sockets()).open > 0);
		const isSilent = cut % 8 === 0;
		const refuse = random.oneOf([null, 503, 401, 'reset', 'hang']);
		await set(isSilent ? { silent: true } : { refuse });
		if (!isSilent) await drop(random.oneOf(['reset', 'close']));
		const whileDown = BLOCKS_PER_CUT - whileUp;
		await grow(whileDown, random.upTo(Math.min(whileDown, 4)));
		await moment(isSilent || cut % 10 === 0 ? 1.5 * LIMIT : random.upTo(100));
		await set({});
		if (random.upTo(2) > 0) await moment(random.upTo(120));
	}
	expect(await settle()).toBe(CUTS * BLOCKS_PER_CUT);
	expect(reports()).toEqual([]);
	expect((await sockets()).opened).toBeGreaterThanOrEqual(CUTS);
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
	hurry({ pause: 400 });
	const trigger = await active();
	await set({ refuse: 503 });
	await drop('close');
	const numbers = await mine(100);
	const limits = { callsPerSecond: 90, as: 'rpc', oversize: 'refuse', room: 'node' };
	await sandbox().control('PUT', '/limits', limits);
	await set({});
	expect(numbersOf(await trigger.has(100))).toEqual(numbers);
});
