import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chainOf } from '../support/fakeChain.mts';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { moment, upTo } from '../support/scene.mts';
import { evmRpcTrigger, triggersOfATest } from '../support/triggers.mts';

const active = triggersOfATest();
const node = createFakeNode();
const on = (parameters: INodeParameters) => evmRpcTrigger(parameters, node.credentials);

const ONE = `0x${'1'.repeat(40)}`;
const TWO = `0x${'2'.repeat(40)}`;
const logsOf = (...addresses: string[]) => ({ event: 'log', addresses: addresses.join() });

/** Returns what a life without events left behind, followed by many blocks. */
async function leftBehind(parameters: INodeParameters): Promise<IDataObject> {
	const trigger = await active(on(parameters));
	await trigger.close();
	node.height += 150;
	return trigger.stored();
}

const nextLife = async (parameters: INodeParameters, staticData: IDataObject) =>
	await active(on(parameters), { mode: 'update', staticData });

const heights = (items: readonly IDataObject[]) =>
	items.map(({ number, blockNumber }) => number ?? blockNumber);

describe('an active workflow whose trigger was edited', () => {
	beforeEach(() => node.setAnswers(chainOf(node)));

	test.each<[string, INodeParameters, INodeParameters]>([
		['another event', logsOf(ONE), { event: 'newBlock' }],
		['another event, the other way round', { event: 'newBlock' }, logsOf()],
		['another address', logsOf(ONE), logsOf(TWO)],
		['one more address', logsOf(ONE), logsOf(ONE, TWO)],
		['other topics', logsOf(ONE), { ...logsOf(ONE), topics: `0x${'a'.repeat(64)}` }],
	])('to %s begins at the head', async (_what, before, after) => {
		const trigger = await nextLife(after, await leftBehind(before));
		node.mine(2);
		await trigger.has(2);
		await moment(50);
		expect(heights(trigger.items())).toEqual(upTo(node.height, 2));
		expect(trigger.failures).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['the same addresses in another order', logsOf(TWO, ONE)],
		['other items of the same logs', { ...logsOf(ONE, TWO), simplify: false }],
	])('to %s goes on', async (_what, after) => {
		const trigger = await nextLife(after, await leftBehind(logsOf(ONE, TWO)));
		node.mine();
		const items = await trigger.has(151);
		expect(heights(items).map(Number)).toEqual(upTo(node.height, 151));
	});
});
