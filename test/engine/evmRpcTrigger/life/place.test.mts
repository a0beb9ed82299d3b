import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SavedCursor } from '../../../../nodes/core/chain/cursor';
import { withLogs, type Log } from '../../../harness/evmChain.mts';
import { FIRST_TRANSFER } from '../../../harness/fakeChain.mts';
import { NO_ANSWER } from '../../../harness/fakeNode.mts';
import { fakeScene } from '../support/fakeScene.mts';
import { shortenTimes } from '../support/shortTimes.mts';
import { moment, numbersOf, upTo, waitUntil } from '../support/scene.mts';

const { node, listening } = fakeScene();

/** Reads the next block from the static data. n8n works on the same object, so this is always its present state. */
const nextIn = (staticData: IDataObject) =>
	(staticData['node:Tested'] as unknown as { saved: SavedCursor }).saved.cursor.next;

test('deactivated between two blocks, the place does not move past what was emitted', async () => {
	shortenTimes({ requestTimeoutMs: 10_000, gatheringMs: 100 });
	node.contentsOf = () => withLogs(FIRST_TRANSFER);
	node.setAnswers({
		eth_getLogs: (call) => {
			const logs = node.truth(call) as Log[];
			return logs.some(({ blockNumber }) => Number(blockNumber) === 13) ? NO_ANSWER : logs;
		},
	});
	const staticData: IDataObject = {};
	const trigger = await listening({ event: 'log' }, { staticData });
	node.mine();
	await trigger.has(1);
	const before = node.countCalls('eth_getLogs');
	node.mine(2);
	await waitUntil(() => node.countCalls('eth_getLogs') > before + 1);
	await trigger.close();
	expect(nextIn(staticData)).toBe(11 + trigger.items().length);
});

test.each<[INodeParameters, number]>([
	[{ event: 'log' }, 1_000_000],
	[{ event: 'newBlock' }, 100_000],
])(
	'after a restart, %j, the latest %d blocks are read, and what is left out is reported once',
	async (parameters, most) => {
		const first = await listening(parameters);
		await first.close();
		node.height += most + 5;
		const life = { mode: 'init', staticData: first.stored() } as const;
		const next = await listening(parameters, life);
		expect(next.failures.map(({ message }) => message)).toEqual([
			expect.stringContaining('Blocks 11 to 15 were left out'),
		]);
		node.disconnect();
		await waitUntil(() => node.handshakes.length > 2);
		await waitUntil(() => node.clients.size > 0);
		expect(next.failures).toHaveLength(1);
	},
);

/** Returns the static data that a trigger stores when it has emitted the given number of blocks. */
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
	// Only the last execution is stored with its items, however many blocks were emitted.
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
