import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SavedCursor } from '../../../../nodes/core/follow/cursor';
import { asked, blocksAsked, chainOf } from '../support/fakeChain.mts';
import { createFakeNode, NO_ANSWER } from '../../../harness/fakeNode.mts';
import { hurry } from '../support/hurry.mts';
import { waitUntil } from '../support/scene.mts';
import { evmRpcTrigger, triggersOfATest } from '../support/triggers.mts';

const active = triggersOfATest();
const node = createFakeNode();
const filter = () => evmRpcTrigger({ event: 'log' }, node.credentials);

/** n8n works on the given object itself, so this is the state at any time. */
const nextIn = (staticData: IDataObject) =>
	(staticData['node:Tested'] as unknown as { saved: SavedCursor }).saved.cursor.next;

test('deactivated between two blocks, the place does not move past what was emitted', async () => {
	hurry({ requestTimeoutMs: 10_000, gatheringMs: 100 });
	const { eth_getLogs } = chainOf(node);
	node.setAnswers({
		eth_getLogs: (call) => (blocksAsked(call, node).includes(13) ? NO_ANSWER : eth_getLogs(call)),
	});
	const staticData: IDataObject = {};
	const trigger = await active(filter(), { staticData });
	node.mine();
	await trigger.has(1);
	const before = asked(node, 'eth_getLogs');
	node.mine(2);
	await waitUntil(() => asked(node, 'eth_getLogs') > before + 1);
	await trigger.close();
	expect(nextIn(staticData)).toBe(11 + trigger.items().length);
});

test.each<[INodeParameters, number]>([
	[{ event: 'log' }, 1_000_000],
	[{ event: 'newBlock' }, 100_000],
])(
	'after a restart, %j, the latest %d blocks are read, and what is left out is reported once',
	async (parameters, most) => {
		const first = await active(evmRpcTrigger(parameters, node.credentials));
		await first.close();
		node.height += most + 5;
		const life = { mode: 'init', staticData: first.stored() } as const;
		const next = await active(evmRpcTrigger(parameters, node.credentials), life);
		expect(next.failures.map(({ message }) => message)).toEqual([
			expect.stringContaining('Blocks 11 to 15 were left out'),
		]);
		node.disconnect();
		await waitUntil(() => node.handshakes.length > 2);
		await waitUntil(() => node.clients.size > 0);
		expect(next.failures).toHaveLength(1);
	},
);
