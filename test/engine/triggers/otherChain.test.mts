import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { numbersOf } from '../evmRpcTrigger/support/scene.mts';
import { DRIVERS } from './support/driver.mts';
import { createFakeScene } from './support/fakeScene.mts';

const warn = jest.spyOn(Container.get(Logger), 'warn');
beforeEach(() => warn.mockClear());

describe.each(DRIVERS)('by %s', (_by, createDriver) => {
	const { node, start, readHeadAnew } = createFakeScene(createDriver);

	/** Starts a trigger, and waits until it has emitted the latest block of a chain of the given height. */
	async function startedAt(height: number) {
		node.height = height - 1;
		const trigger = await start();
		node.mine();
		await trigger.readAll(1);
		return trigger;
	}

	describe.each<[string, number, () => void]>([
		['of another id', 1_000, () => node.setAnswers({ eth_chainId: () => '0x2' })],
		['that was begun anew', 5_000, () => node.reorganize(0, 5)],
	])('another chain, %s, begins at its head, with a warning', (_what, height, change) => {
		test.each(['while it runs', 'while n8n is down'])('%s', async (when) => {
			const first = await startedAt(height);
			change();
			const isDown = when === 'while n8n is down';
			const trigger = isDown ? await first.restart() : first;
			if (!isDown) await readHeadAnew(trigger);
			const before = isDown ? 0 : 1;
			const next = node.height + 1;
			node.mine();
			const items = await trigger.readAll(before + 1);
			expect(numbersOf(items).slice(before)).toEqual([next]);
			expect(items.at(-1)?.reorganized).toBe(false);
			expect(warn.mock.calls).toEqual([[expect.stringMatching(/different chain.*from block \d+/)]]);
			expect(trigger.failures).toEqual([]);
		});
	});

	test.each([
		['far behind', 3_990],
		['at its first block', 0],
	])('a node that is %s for a moment has nothing emitted twice', async (_where, height) => {
		const trigger = await startedAt(5_001);
		node.height = height;
		await readHeadAnew(trigger);
		node.jumpTo(5_003);
		expect(numbersOf(await trigger.readAll(3))).toEqual([5_001, 5_002, 5_003]);
		// A poll reports that the node lags, but a trigger over a WebSocket waits silently.
		for (const failure of trigger.failures)
			expect(failure.message).toMatch(/blocks that it had before/);
		expect(warn).not.toHaveBeenCalled();
	});

	test('the chain is the same one if its id is only spelled in another way', async () => {
		const trigger = await startedAt(11);
		node.setAnswers({ eth_chainId: () => '0x01' });
		node.height = 14;
		await readHeadAnew(trigger);
		node.mine();
		expect(numbersOf(await trigger.readAll(5))).toEqual([11, 12, 13, 14, 15]);
		expect(warn).not.toHaveBeenCalled();
	});
});
