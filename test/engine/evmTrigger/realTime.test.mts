import { takeTime } from './hurry.mts';
import { moment, numbersOf, scene } from './scene.mts';

const { active, mine, drop, set } = scene();

beforeEach(takeTime);

const MINUTE = 60_000;
/** The longest backoff, and an attempt that hangs. */
const BACK_WITHIN = 26_000;

async function timed(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return performance.now() - begun;
}

test('a minute without the server: every block comes once, and one report', async () => {
	const trigger = await active();
	const numbers = await mine(5);
	await trigger.has(5);
	await set({ refuse: 503 });
	await drop('reset');
	numbers.push(...(await mine(30)));
	await moment(MINUTE);
	await set({});
	const back = await timed(async () => await trigger.has(35, BACK_WITHIN));
	expect(numbersOf(trigger.items())).toEqual(numbers);
	expect(trigger.failures).toHaveLength(1);
	process.stdout.write(
		`After a minute without the server, what was missed came within ${(back / 1000).toFixed(1)} s\n`,
	);
}, 120_000);

test('from a block to its item it takes a moment', async () => {
	const trigger = await active();
	const times: number[] = [];
	for (let count = 1; count <= 20; count++) {
		await mine(1);
		times.push(await timed(async () => await trigger.has(count)));
	}
	const middle = times.sort((a, b) => a - b)[10] ?? 0;
	process.stdout.write(`From a block to its item: ${middle.toFixed(0)} ms\n`);
	expect(middle).toBeLessThan(1000);
});
