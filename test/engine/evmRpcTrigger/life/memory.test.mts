import { fakeScene } from '../support/fakeScene.mts';
import { moment, numbersOf, upTo } from '../support/scene.mts';

const { node, listening } = fakeScene();

/** Returns what a life with this many blocks left behind. */
async function leftBehind(blocks: number) {
	const trigger = await listening({ simplify: false });
	node.mine(blocks);
	await trigger.has(blocks);
	await trigger.close();
	return trigger.stored();
}

test.each(['activate', 'create'] as const)('at %s it begins at the head', async (mode) => {
	const staticData = await leftBehind(3);
	node.height += 3;
	const trigger = await listening({}, { mode, staticData });
	node.mine(2);
	await trigger.has(2);
	await moment(30);
	expect(numbersOf(trigger.items())).toEqual(upTo(node.height, 2));
	expect(trigger.failures).toEqual([]);
});

test('what is kept is small', async () => {
	const left = (await leftBehind(300))['node:Tested'] as Record<string, { underWay?: unknown }>;
	expect(JSON.stringify(left.saved).length).toBeLessThan(10_000);
	// The items are those of the last execution.
	expect(left.starts?.underWay).toHaveLength(1);
});

test('a chain is not taken for another one because of an answer that is none', async () => {
	const staticData = await leftBehind(1);
	node.height = 13;
	const answers = [null, {}, 'mainnet', ''];
	node.setAnswers({ eth_chainId: () => (answers.length > 0 ? answers.pop() : '0x1') });
	const trigger = await listening({}, { mode: 'init', staticData });
	expect(numbersOf(await trigger.has(2))).toEqual([12, 13]);
	expect(answers).toEqual([]);
});
