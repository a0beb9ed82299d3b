import type { INodeParameters } from 'n8n-workflow';
import { deposit, watchingKey } from '../../harness/accountKey.mts';
import { call, internalTransfer, transfer, transferLog } from '../../harness/witnessChain.mts';
import { base58, requireItems, startWatch, type Watch } from './support/watch.mts';

/** These tests check a trigger that watches the addresses of many orders, all derived from one account key. */

let watch: Watch;
beforeEach(async () => {
	watch = await startWatch();
});
afterEach(async () => await watch.server.stop());

async function poll(parameters: INodeParameters, mine: (chain: Watch['chain']) => void) {
	const workflow = await watch.active(parameters);
	mine(watch.chain);
	watch.settle();
	return requireItems(await workflow.poll());
}

test('coins come with the index of their address, and nothing else does', async () => {
	const items = await poll(watchingKey(20), (chain) =>
		chain.mine(
			transfer('buyer', deposit(0), 10),
			transfer('buyer', 'other', 11),
			transfer(deposit(0), 'shop', 12),
			transfer('buyer', deposit(20), 13),
			transfer('buyer', deposit(3), 0),
			{ ...call('buyer', 'router'), internal: [internalTransfer('router', deposit(19), 14)] },
		),
	);
	expect(
		items.map(({ value, depositIndex, direction }) => [value, depositIndex, direction]),
	).toEqual([
		['10', 0, 'in'],
		['14', 19, 'in'],
	]);
	expect(items[0]).toMatchObject({ to: base58(deposit(0)), symbol: 'TRX', chain: 'witness' });
});

test('the smallest payments are left out by the amount', async () => {
	const items = await poll({ ...watchingKey(), minAmount: '0.00002' }, (chain) =>
		chain.mine(transfer('buyer', deposit(1), 19), transfer('buyer', deposit(1), 20)),
	);
	expect(items.map(({ value }) => value)).toEqual(['20']);
});

test('tokens come with the index of their address, and nothing else does', async () => {
	const tokens = base58('dollar');
	const items = await poll({ event: 'tokenPayment', tokens, ...watchingKey(150) }, (chain) =>
		chain.mine({
			...call('buyer', 'dollar'),
			logs: [
				transferLog('dollar', 'buyer', deposit(0), 10),
				transferLog('other', 'buyer', deposit(0), 11),
				transferLog('dollar', deposit(0), 'shop', 12),
				transferLog('dollar', 'buyer', deposit(150), 13),
				transferLog('dollar', 'buyer', deposit(3), 0),
				transferLog('dollar', 'buyer', deposit(149), 14),
			],
		}),
	);
	expect(items.map(({ value, depositIndex }) => [value, depositIndex])).toEqual([
		['10', 0],
		['14', 149],
	]);
});

test('more addresses lose and repeat nothing; fewer begin at the present', async () => {
	const { chain, workflow, settle } = watch;
	const first = await watch.active(watchingKey(2));
	const payAll = (amount: number) => {
		chain.mine(transfer('a', deposit(1), amount), transfer('a', deposit(2), amount + 1));
		settle();
	};
	payAll(1);
	expect(requireItems(await first.poll()).map(({ value }) => value)).toEqual(['1']);
	payAll(3);
	const raised = workflow(watchingKey(3), { saved: first.saved() });
	expect((await raised.activate()).items.map(({ value }) => value)).toEqual(['3', '4']);
	payAll(5);
	const lowered = workflow(watchingKey(2), { saved: raised.saved() });
	expect((await lowered.activate()).items).toEqual([]);
	payAll(7);
	expect(requireItems(await lowered.poll()).map(({ value }) => value)).toEqual(['7']);
});

test('the tokens have to be named', async () => {
	const unnamed = watch.workflow({ event: 'tokenPayment', ...watchingKey() });
	await expect(unnamed.activate()).rejects.toThrow(/'Tokens' is required/);
});
