import type { IDataObject } from 'n8n-workflow';
import { deploy } from '../../harness/contract.mts';
import { AMPLE, hurry } from './hurry.mts';
import { moment, numbersOf, scene, until, upTo } from './scene.mts';

const { sandbox, on, active, height, mine } = scene();

const COUNT = 60;

let notes: Awaited<ReturnType<typeof deploy>>;
beforeAll(async () => (notes = await deploy(sandbox(), 'Notes')));

const erasures = () => on({ event: 'log', addresses: notes.address, topics: 'Erased(uint256)' });

const subjectsOf = (items: readonly IDataObject[]) =>
	items.map(({ topics }) => Number((topics as string[]).at(-1)));

const behind = async (settings: object) => await sandbox().control('PUT', '/lag', settings);

const requests = async () =>
	((await sandbox().control('GET', '/record/count?room=node')) as { requests: number }).requests;

/** A log with this number in a block of its own, which a trigger has begun to read. */
async function erase(subject: number): Promise<void> {
	const before = await requests();
	const data = notes.data('erase(uint256)', subject);
	await sandbox().mined({ from: notes.owner, to: notes.address, data });
	await until(async () => (await requests()) > before);
}

beforeEach(() => hurry({ silence: AMPLE, gathering: 0 }));

/** So many logs, with empty blocks in between; at the end enough blocks for the slowest index. */
async function eraseMany(): Promise<void> {
	for (let subject = 1; subject <= COUNT; subject++) {
		await erase(subject);
		if (subject % 7 === 0) await mine(2);
	}
	await mine(4);
}

describe.each([1, 2, 3])('%i blocks behind the head', (blocks) => {
	describe.each([
		['all', 1],
		['half', 0.5],
	])('in %s of the calls', (_share, share) => {
		test(`the index: all of ${COUNT} logs come, once and in order`, async () => {
			const trigger = await active(erasures());
			await behind({ logs: { blocks, share } });
			await eraseMany();
			expect(subjectsOf(await trigger.has(COUNT))).toEqual(upTo(COUNT, COUNT));
			expect(trigger.failures).toEqual([]);
		});

		test(`whole nodes: all of ${COUNT} logs and their blocks come, once and in order`, async () => {
			const logs = await active(erasures());
			const blocksToo = await active(on());
			const before = await height();
			await behind({ backends: { blocks, share } });
			await eraseMany();
			expect(subjectsOf(await logs.has(COUNT))).toEqual(upTo(COUNT, COUNT));
			// Those that are behind never show the last blocks.
			const shown = (await height()) - before - (share < 1 ? 0 : blocks);
			await blocksToo.has(shown);
			expect(numbersOf(blocksToo.items()).slice(0, shown)).toEqual(upTo(before + shown, shown));
			expect([...logs.failures, ...blocksToo.failures]).toEqual([]);
		});
	});

	test.each([
		['on a chain without blooms', { blooms: false }],
		['with a node that has no receipts', { receipts: false }],
		['with neither blooms nor receipts', { blooms: false, receipts: false }],
	])(`the index, %s: all of ${COUNT} logs come, once and in order`, async (_what, lack) => {
		await behind({ logs: { blocks }, ...lack });
		const trigger = await active(erasures());
		await eraseMany();
		expect(subjectsOf(await trigger.has(COUNT))).toEqual(upTo(COUNT, COUNT));
		expect(trigger.failures).toEqual([]);
	});
});

const QUIET = { event: 'log', topics: 'Noted(address,uint256,uint256)' };

/** The calls that a trigger makes for each block that has none of its logs. */
async function callsPerBlock(settings: object): Promise<number> {
	await behind(settings);
	const trigger = await active(on(QUIET));
	const before = await requests();
	for (let subject = 1; subject <= 10; subject++) {
		await erase(subject);
		await moment(60);
	}
	await trigger.close();
	expect(trigger.items()).toEqual([]);
	return ((await requests()) - before) / 10;
}

test('a quiet block costs one request where its bloom says that it is quiet', async () => {
	const withBloom = await callsPerBlock({});
	const withoutBloom = await callsPerBlock({ blooms: false });
	process.stdout.write(
		`Requests for a quiet block: ${withBloom} with its bloom, ${withoutBloom} without\n`,
	);
	expect(withBloom).toBe(1);
	expect(withoutBloom).toBeLessThanOrEqual(3);
});
