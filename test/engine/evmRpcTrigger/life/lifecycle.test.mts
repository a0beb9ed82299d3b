import type { ActiveTrigger } from '../../../harness/trigger.mts';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { AMPLE, shortenTimes, timing } from '../support/shortTimes.mts';
import { moment, numbersOf, scene, waitUntil } from '../support/scene.mts';

const { on, active, mine, drop, set, sockets, open } = scene();

/** Counts the open resources that would keep the process alive. */
function resources(): Record<string, number> {
	const all = process.getActiveResourcesInfo();
	return Object.fromEntries(
		[...new Set(all)].sort().map((one) => [one, all.filter((other) => other === one).length]),
	);
}

/**
 * Closes the trigger, which must not take so long that the test runs out of time. Then checks that no more items
 * arrive, even when the node works again.
 */
async function endsForGood(trigger: ActiveTrigger): Promise<void> {
	await trigger.close();
	const { length } = trigger.executions;
	await set({});
	await mine(3);
	await open(0);
	const { opened } = await sockets();
	await moment(2 * timing.maxBackoffMs);
	expect(await sockets()).toMatchObject({ open: 0, opened });
	expect(trigger.executions).toHaveLength(length);
	expect(trigger.failures).toEqual([]);
}

test('a hundred lives leave nothing behind', async () => {
	const live = async (times: number) => {
		for (let count = 0; count < times; count++) {
			const trigger = await active();
			if (count % 5 === 0) await mine(1).then(async () => await trigger.has(1));
			await trigger.close();
		}
		await open(0);
	};
	await live(10);
	await moment(100);
	const before = resources();
	await live(100);
	await waitUntil(() =>
		Object.entries(resources()).every(([kind, count]) => count <= (before[kind] ?? 0)),
	);
	expect(await sockets()).toMatchObject({ open: 0, opened: 110 });
});

describe('a deactivation', () => {
	beforeEach(() => shortenTimes({ maxBackoffMs: 100 }));

	test('while it listens', async () => {
		await endsForGood(await active());
	});

	test('during an outage', async () => {
		const trigger = await active();
		await set({ refuse: 503 });
		await drop('reset');
		await moment(200);
		await endsForGood(trigger);
	});

	test('during a handshake that hangs', async () => {
		const trigger = await active();
		await set({ refuse: 'hang' });
		await drop('reset');
		await waitUntil(async () => (await sockets()).refused > 0);
		await endsForGood(trigger);
	});

	test('while the chain node is asked why it refused', async () => {
		const trigger = await active();
		await set({ refuse: 'reset' });
		await drop('reset');
		await waitUntil(async () => (await sockets()).refused > 0);
		await set({ refuse: 'hang' });
		await moment(100);
		await endsForGood(trigger);
	});

	test('while the node is silent', async () => {
		const trigger = await active();
		await set({ silent: true });
		await drop('reset');
		await waitUntil(async () => (await sockets()).opened === 2);
		await moment(50);
		await endsForGood(trigger);
	});

	test('on the way back', async () => {
		const trigger = await active();
		await set({ refuse: 503 });
		await drop('close');
		const numbers = await mine(400);
		await set({ delay: 200 });
		await waitUntil(() => trigger.executions.length > 0);
		await endsForGood(trigger);
		expect(numbersOf(trigger.items())).toEqual(numbers.slice(0, trigger.items().length));
	});
});

describe('a node that hangs up at once, for ever', () => {
	const node = createFakeNode();

	test.each([
		['after the handshake', () => (node.onWelcome = (client) => client.terminate())],
		[
			'after the first question',
			() => node.setAnswers({ eth_subscribe: (_call, client) => client.terminate() }),
		],
		[
			'after it was read',
			() => node.setAnswers({ eth_blockNumber: (_call, client) => client.terminate() }),
		],
	])('%s, is asked ever more rarely', async (_when, hangUp) => {
		shortenTimes({ firstBackoffMs: 30, maxBackoffMs: 2_000, stableMs: AMPLE, idleMs: 30 });
		const trigger = await active(on({}, node.credentials));
		hangUp();
		const cutAt = performance.now();
		node.disconnect();
		await waitUntil(() => node.handshakes.length > 5);
		// The trigger reconnects after 60, 120, 240, 480 and 960 ms. Each pause may be shortened to a half at random.
		expect(performance.now() - cutAt).toBeGreaterThan(900);
		expect(trigger.failures).toEqual([]);
	});
});
