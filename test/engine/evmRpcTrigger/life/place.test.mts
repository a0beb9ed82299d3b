import type { IDataObject } from 'n8n-workflow';
import type { SavedState } from '../../../../nodes/core/follow/position';
import { asked, blocksAsked, chainOf, logOf } from '../support/fakeChain.mts';
import { blockOf, fakeNode, SILENCE } from '../../../harness/fakeNode.mts';
import { hurry } from '../support/hurry.mts';
import { until } from '../support/scene.mts';
import { evmRpcTrigger, triggersOfATest } from '../support/triggers.mts';

const active = triggersOfATest();
const node = fakeNode();
const filter = () => evmRpcTrigger({ event: 'log' }, node.credentials);

/** n8n works with what it is given, so that this is how it stands at any time. */
const nextIn = (staticData: IDataObject) =>
	(staticData['node:Tested'] as unknown as { saved: SavedState }).saved.cursor.next;

test('deactivated between two blocks, the place does not move past what was told', async () => {
	hurry({ requestTimeout: 10_000, gathering: 100 });
	const { eth_getLogs } = chainOf(node);
	node.answering({
		eth_getLogs: (call) =>
			blocksAsked(call, node.height).includes(13) ? SILENCE : eth_getLogs(call),
	});
	const staticData: IDataObject = {};
	const trigger = await active(filter(), { staticData });
	node.mine();
	await trigger.has(1);
	const before = asked(node, 'eth_getLogs');
	node.mine(2);
	await until(() => asked(node, 'eth_getLogs') > before + 1);
	await trigger.close();
	expect(nextIn(staticData)).toBe(11 + trigger.items().length);
});

test('after very many quiet blocks and a restart, the latest 100,000 are read', async () => {
	hurry({ gathering: 1 });
	const first = await active(filter());
	await first.close();
	node.height += 150_000;
	const rare = node.height - 20;
	node.answering({
		eth_getLogs: (call) => {
			const { fromBlock, toBlock } = call.params[0] as Record<string, string>;
			return Number(fromBlock) <= rare && rare <= Number(toBlock) ? [logOf(rare)] : [];
		},
	});
	const next = await active(filter(), { mode: 'init', staticData: first.stored() });
	expect(await next.has(1)).toMatchObject([{ blockNumber: rare, blockHash: blockOf(rare).hash }]);
	const search = node.calls.find(({ method }) => method === 'eth_getLogs');
	const { fromBlock } = search?.params[0] as Record<string, string>;
	expect(Number(fromBlock)).toBe(node.height - 100_000 + 1);
});
