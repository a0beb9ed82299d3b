import { chainOf, asked } from '../support/fakeChain.mts';
import { buildBlock } from '../../../harness/fakeNode.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { moment, numbersOf, waitUntil } from '../support/scene.mts';

const { node, listening } = fakeScene();

const timesAskedForTheHead = () => node.calls.filter(({ params }) => params[0] === 'latest').length;

/** Cuts the trigger off; it finds this head when it is back. */
async function backAt(head: number): Promise<void> {
	const { eth_getBlockByNumber } = chainOf(node);
	node.setAnswers({
		eth_getBlockByNumber: (call) =>
			call.params[0] === 'latest' ? buildBlock(head) : eth_getBlockByNumber(call),
	});
	const before = timesAskedForTheHead();
	node.disconnect();
	await waitUntil(() => timesAskedForTheHead() > before + 1);
}

describe('after a cut', () => {
	test.each([
		['far behind', 3_900],
		['at its first block', 0],
	])('a node that is %s for a moment has nothing emitted twice', async (_where, head) => {
		node.height = 5_000;
		const trigger = await listening();
		node.mine(2);
		await trigger.has(2);
		await backAt(head);
		node.setAnswers({});
		node.mine();
		await trigger.has(3);
		await moment(100);
		expect(numbersOf(trigger.items())).toEqual([5_001, 5_002, 5_003]);
		expect(trigger.failures).toEqual([]);
	});

	test('the chain is the same one if its id is only spelled in another way', async () => {
		const trigger = await listening();
		node.mine();
		await trigger.has(1);
		node.setAnswers({ eth_chainId: () => '0x01' });
		node.disconnect();
		node.height = 14;
		await waitUntil(() => asked(node, 'eth_chainId') > 1);
		node.mine();
		await trigger.has(5);
		expect(numbersOf(trigger.items())).toEqual([11, 12, 13, 14, 15]);
	});
});
