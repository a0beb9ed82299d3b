import { buildHash } from '../../harness/fakeNode.mts';
import { numbersOf, upTo } from '../evmRpcTrigger/support/scene.mts';
import { DRIVERS } from './support/driver.mts';
import { createFakeScene } from './support/fakeScene.mts';

describe.each(DRIVERS)('by %s, blocks', (_by, createDriver) => {
	const { node, start } = createFakeScene(createDriver);

	test('come in order, each once, and none from before', async () => {
		const trigger = await start();
		node.mine(3);
		await trigger.readAll(3);
		node.mine();
		node.mine();
		await trigger.readAll(5);
		node.jumpTo(135);
		const items = await trigger.readAll(125);
		expect(numbersOf(items)).toEqual(upTo(135, 125));
		expect(items.filter(({ reorganized }) => reorganized !== false)).toEqual([]);
		expect(trigger.failures).toEqual([]);
	});

	test.each(['while it runs', 'while n8n is down'])(
		'that replace others %s are marked, and no later ones are',
		async (when) => {
			const first = await start();
			node.mine(3);
			const emitted = [...(await first.readAll(3))];
			const isDown = when === 'while n8n is down';
			if (isDown) Object.assign(node, { height: 14, fork: 12 });
			else node.jumpTo(14, 12);
			const trigger = isDown ? await first.restart() : first;
			const before = isDown ? 0 : emitted.length;
			await trigger.readAll(before + 3);
			node.mine();
			const items = (await trigger.readAll(before + 4)).slice(before);
			expect(items.map(({ hash, reorganized }) => [hash, reorganized])).toEqual([
				[buildHash(12, 12), true],
				[buildHash(13, 12), true],
				[buildHash(14, 12), false],
				[buildHash(15, 12), false],
			]);
			expect(trigger.failures).toEqual([]);
		},
	);
});
