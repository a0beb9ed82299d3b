import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { OTHER_ACCOUNT_KEY, watchingKey } from '../../harness/accountKey.mts';
import { takeRows } from '../../harness/caseCount.mts';
import { ALICE, BOB, TOKEN_ADDRESS, TRACES, TRANSFERS } from '../../harness/fakeChain.mts';
import { buildHash } from '../../harness/evmChain.mts';
import { waitUntil } from '../../harness/until.mts';
import { numbersOf, upTo } from '../evmRpcTrigger/support/scene.mts';
import { DRIVERS, type RunningTrigger } from './support/driver.mts';
import { createFakeScene } from './support/fakeScene.mts';

const warn = jest.spyOn(Container.get(Logger), 'warn');
beforeEach(() => warn.mockClear());

const blocks: INodeParameters = { event: 'newBlock' };
const transfersOf = (...accounts: string[]): INodeParameters => ({
	event: 'tokenTransfer',
	tokens: TOKEN_ADDRESS,
	accounts: accounts.join(),
});
const ofAlice = transfersOf(ALICE);
const logsOf = (addresses: string, name = 'Transfer'): INodeParameters => ({
	event: 'log',
	addresses,
	eventSignature: `event ${name}(address indexed from, address indexed to, uint256 value)`,
});
/** The parameters for payments to the addresses of an account key. One of the addresses belongs to Alice. */
const receivedBy = (count: number, changed: INodeParameters = {}): INodeParameters => ({
	event: 'tokenTransfer',
	tokens: TOKEN_ADDRESS,
	...watchingKey(count),
	...changed,
});

type Edit = [string, INodeParameters, INodeParameters];

const changesOfKey: Edit[] = [
	['another key', receivedBy(5, { accountKey: OTHER_ACCOUNT_KEY }), receivedBy(5)],
	['another first index', receivedBy(5, { firstIndex: 1 }), receivedBy(5)],
	['fewer addresses of a key', receivedBy(200), receivedBy(5)],
	['a key in place of addresses', ofAlice, receivedBy(5)],
	['addresses in place of a key', receivedBy(5), ofAlice],
	['another token for a key', receivedBy(5, { tokens: BOB }), receivedBy(5)],
];

/** Edits that make a trigger watch more addresses of an account key. One of the added addresses is Alice's. */
const growths: Edit[] = [
	['more addresses of a key', receivedBy(1), receivedBy(5)],
	['many more addresses of a key', receivedBy(1), receivedBy(150)],
];

/** Lists the blocks of the items, each only once, although a block may have several items. */
const heightsOf = (items: readonly IDataObject[]) => [
	...new Set(items.map(({ number, blockNumber }) => Number(number ?? blockNumber))),
];

/** Reads until items of the given number of blocks have come, and then once more. Returns the numbers of the blocks. */
async function readBlocks({ items, read, readAll }: RunningTrigger, count: number) {
	await waitUntil(async () => {
		await read();
		return heightsOf(items()).length >= count;
	});
	return heightsOf(await readAll(0));
}

describe.each(DRIVERS)('by %s', (by, createDriver) => {
	const isPoll = by === 'polls';
	const { node, ownEvents, start } = createFakeScene(createDriver);
	const [own, otherOwn] = ownEvents;

	beforeEach(() => (node.contentsOf = () => ({ ...TRANSFERS, ...TRACES })));

	describe('a workflow whose trigger was edited', () => {
		/** Starts a trigger, which emits nothing, and edits its workflow 150 blocks later. */
		async function editAfterwards(before: INodeParameters, after: INodeParameters) {
			const trigger = await start(before);
			node.height += 150;
			return await trigger.restart(after);
		}

		test.each(
			takeRows<[string, INodeParameters, INodeParameters]>(
				[
					['another event', ofAlice, blocks],
					['another event, the other way round', blocks, ofAlice],
					['another event, of one that this trigger alone has', own, blocks],
					['another choice of such an event', otherOwn, own],
					['logs of another contract', logsOf(BOB), logsOf(TOKEN_ADDRESS)],
					['logs of another event', logsOf(TOKEN_ADDRESS, 'Approval'), logsOf(TOKEN_ADDRESS)],
					['logs in place of transfers', ofAlice, logsOf(TOKEN_ADDRESS)],
					['another token', { ...ofAlice, tokens: BOB }, ofAlice],
					['another account', transfersOf(BOB), ofAlice],
					['one more account', ofAlice, transfersOf(ALICE, BOB)],
					['another direction', ofAlice, { ...ofAlice, direction: 'from' }],
					...(isPoll ? changesOfKey : []),
				],
				3,
			),
		)('to %s begins at the head', async (_what, before, after) => {
			const trigger = await editAfterwards(before, after);
			node.mine(2);
			expect(await readBlocks(trigger, 2)).toEqual(upTo(node.height, 2));
			expect(trigger.failures).toEqual([]);
			expect(warn).not.toHaveBeenCalled();
		});

		test.each<[string, INodeParameters, INodeParameters]>([
			['the same accounts in another order', transfersOf(ALICE, BOB), transfersOf(BOB, ALICE)],
			['other items of the same event', own, { ...own, simplify: false }],
			...(isPoll ? growths : []),
		])('to %s goes on', async (_what, before, after) => {
			const trigger = await editAfterwards(before, after);
			node.mine();
			expect(await readBlocks(trigger, 151)).toEqual(upTo(node.height, 151));
		});
	});

	test('after a restart, blocks of the meantime come once, and then the next', async () => {
		const first = await start();
		node.mine(3);
		await first.readAll(3);
		node.height += 150;
		const second = await first.restart();
		node.mine();
		expect(numbersOf(await second.readAll(151))).toEqual(upTo(164, 151));
		const third = await second.restart();
		node.mine(2);
		expect(numbersOf(await third.readAll(2))).toEqual([165, 166]);
		expect(third.items().filter(({ reorganized }) => reorganized)).toEqual([]);
	});

	test.each(['while it runs', 'while n8n is down'])(
		'blocks that replace others %s are marked, and no later ones are',
		async (when) => {
			const first = await start();
			node.mine(3);
			const emitted = [...(await first.readAll(3))];
			const isDown = when === 'while n8n is down';
			if (isDown) node.reorganize(12, 14);
			else node.jumpTo(14, 12);
			const trigger = isDown ? await first.restart() : first;
			const before = isDown ? 0 : emitted.length;
			await trigger.readAll(before + 3);
			node.mine();
			const items = (await trigger.readAll(before + 4)).slice(before);
			expect(items.map(({ hash, reorganized }) => [hash, reorganized])).toEqual([
				[buildHash(12, 1), true],
				[buildHash(13, 1), true],
				[buildHash(14, 1), false],
				[buildHash(15, 1), false],
			]);
			expect(trigger.failures).toEqual([]);
		},
	);

	test.each(isPoll ? [ofAlice, receivedBy(5)] : [ofAlice])(
		'after a long quiet time and a restart, it reads on to what is new: %#',
		async (watching) => {
			let busyFrom = Infinity;
			node.contentsOf = (number) => (number >= busyFrom ? TRANSFERS : {});
			const first = await start(watching);
			for (const height of [1_000, 2_000, 3_000]) {
				node.jumpTo(height);
				await first.read();
			}
			expect(first.items()).toEqual([]);
			busyFrom = node.height = 3_500;
			const second = await first.restart();
			expect(await readBlocks(second, 1)).toEqual([3_500]);
			expect([...first.failures, ...second.failures]).toEqual([]);
		},
	);

	test.each<[string, IDataObject, number]>([
		['whole is gone on from', {}, 3],
		['not whole is forgotten', { next: 1e15 }, 0],
	])('what was kept and is %s', async (_what, changes, missed) => {
		const first = await start();
		node.mine(3);
		await first.readAll(3);
		const stored = structuredClone(first.stored());
		const { saved } = stored['node:Tested'] as { saved: { cursor: IDataObject } };
		Object.assign(saved.cursor, changes);
		node.height += 3;
		const second = await start(blocks, stored);
		node.mine();
		expect(numbersOf(await second.readAll(missed + 1))).toEqual(upTo(17, missed + 1));
		expect(second.failures).toEqual([]);
	});

	test.each([true, false])(
		'what a workflow makes of its items changes nothing of what is emitted later (simplify: %s)',
		async (simplify) => {
			const trigger = await start({ ...own, simplify });
			node.mine();
			const before = structuredClone(await trigger.readAll(1));
			for (const item of trigger.items()) {
				for (const value of Object.values(item)) {
					if (Array.isArray(value)) (value as unknown[]).push('added by another node');
					else if (value && typeof value === 'object') Object.assign(value, { value: 'changed' });
				}
			}
			node.jumpTo(12, 11);
			const later = (await trigger.readAll(2 * before.length)).slice(before.length);
			const removed = before.map((item) => ({ ...item, removed: true })).reverse();
			expect(later.slice(0, before.length)).toEqual(removed);
		},
	);
});
