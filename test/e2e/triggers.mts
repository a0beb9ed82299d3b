import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForExecution } from '../../demo/examples/run.mts';
import type { Access } from '../cases/case.mts';
import { TON_PAYMENT } from '../cases/tonScene.mts';
import { thorough } from './folder.mts';
import { received, receivedAll } from './received.mts';
import { buildScene } from './scene.mts';
import { ours, outputs, save, TESTED, type Parameters } from './workflows.mts';
import { control, demo, secrets } from './world.mts';

const EVERY_MINUTE = { item: [{ mode: 'everyMinute' }] };

/** Saves a workflow that consists of one of our triggers. Returns its id. */
async function triggered(type: string, access: Access, parameters: Parameters): Promise<string> {
	return await save({ nodes: [ours(type, access, parameters)], connections: {} });
}

/** Runs a trigger by hand, and returns its only item. */
async function showLatest(type: string, parameters: Parameters) {
	const id = await triggered(type, 'token', parameters);
	const execution = await waitForExecution(demo.api, await demo.api.runWorkflow(id, TESTED));
	assert.equal(execution.status, 'success');
	const [[item] = []] = outputs(execution);
	return item?.json ?? {};
}

async function mine(blocks: number): Promise<void> {
	await demo.sandbox.chain('anvil_mine', `0x${blocks.toString(16)}`);
}

async function height(): Promise<number> {
	return Number(await demo.sandbox.chain('eth_blockNumber'));
}

/** Lists the block numbers after `from`, up to the newest block. */
async function numbersAfter(from: number): Promise<number[]> {
	return Array.from({ length: (await height()) - from }, (_, index) => from + 1 + index);
}

async function sockets() {
	return await control<{ open: number; subscriptions: number }>('GET', '/sockets');
}

/** Returns the sorted numbers of items. n8n starts executions in parallel, so their order can differ. */
function numbersOf(items: ReadonlyArray<Record<string, unknown>>): number[] {
	return items.map(({ number }) => Number(number)).sort((a, b) => a - b);
}

describe('Chain EVM RPC Trigger', () => {
	it('gives every block once while its socket is dropped ten times', thorough, async () => {
		const id = await triggered('evmRpcTrigger', 'token', { event: 'newBlock' });
		await demo.api.activate(id);
		const begin = await height();
		for (let cut = 0; cut < 10; cut++) {
			await mine(2);
			const { dropped } = await control<{ dropped: number }>('POST', '/sockets/drop', {
				how: cut % 2 ? 'close' : 'reset',
			});
			assert.ok(dropped > 0 || cut > 0);
			await mine(3);
			await sleep(cut % 3 === 0 ? 1500 : 200);
		}
		const items = await receivedAll(id, 50);
		assert.deepEqual(numbersOf(items), await numbersAfter(begin));
		await demo.api.deactivate(id);
	});

	it('is closed when its workflow is deactivated', async () => {
		const id = await triggered('evmRpcTrigger', 'basicAuth', { event: 'newBlock' });
		await demo.api.activate(id);
		assert.equal((await sockets()).open, 1);
		await demo.api.deactivate(id);
		assert.equal((await sockets()).open, 0);
	});

	it('gives one event to a manual execution', async () => {
		const id = await triggered('evmRpcTrigger', 'token', { event: 'newBlock' });
		const executionId = await demo.api.runWorkflow(id, TESTED);
		const isRunning = async () => (await demo.api.execution(executionId)).status === 'running';
		while ((await sockets()).subscriptions === 0) await sleep(50);
		// The loop mines more than once, because the trigger starts at the newest block that it finds a moment after it has
		// subscribed.
		for (let block = 0; block < 40 && (await isRunning()); block++) {
			await mine(2);
			await sleep(500);
		}
		const execution = await waitForExecution(demo.api, executionId);
		assert.equal(execution.status, 'success');
		assert.equal(outputs(execution)[0]?.length, 1);
	});

	it('says why it cannot be activated', async () => {
		const { nodeUrl } = demo.sandbox;
		const data = { nodeUrl, authToken: 'not-the-token-at-all' };
		const wrong = await demo.api.saveCredential('Wrong Token', 'chainNodeTokenApi', data);
		const node = ours('evmRpcTrigger', 'token', { event: 'newBlock' });
		node.credentials = { chainNodeTokenApi: { id: wrong, name: 'Wrong Token' } };
		const id = await save({ nodes: [node], connections: {} });
		await assert.rejects(demo.api.activate(id), (error: Error) => {
			assert.match(error.message, /401|refused|Authorization/i);
			assert.ok(!error.message.includes(data.authToken));
			return true;
		});
		await demo.api.deactivate(id);
	});
});

describe('Chain Witness Wallet Trigger', () => {
	it('shows the latest payment of an account to a manual execution', async () => {
		const to = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
		const { first, sign, witnessOwner } = await buildScene('token');
		const built = await first('witnessWallet', {
			resource: 'transaction',
			operation: 'buildTransfer',
			ownerAddress: witnessOwner,
			toAddress: to,
			amount: '1.5',
		});
		const transaction = await sign(built);
		await first('witnessWallet', { resource: 'witness', operation: 'broadcast', transaction });
		await control('POST', '/wallet/mine', { blocks: 20 });
		assert.equal((await showLatest('witnessWalletTrigger', { addresses: to })).amount, '1.5');
	});
});

describe('Chain TON Trigger', () => {
	it('shows the latest payment of an account to a manual execution', async () => {
		const { ton } = await buildScene('token');
		const shown = await showLatest('tonTrigger', { addresses: ton.owner, minAmount: '1' });
		assert.deepEqual({ amount: shown.amount, comment: shown.comment }, TON_PAYMENT);
	});
});

describe('Chain STARK Trigger', () => {
	it('shows the latest transfer of a token to a manual execution', async () => {
		const { stark } = await buildScene('token');
		const watched = { event: 'tokenTransfer', tokens: stark.token, accounts: stark.receiver };
		const shown = await showLatest('starkTrigger', watched);
		assert.equal(shown.transactionHash, stark.transactionHash);
	});
});

describe('when n8n is killed', thorough, () => {
	it('no block and no transfer is lost or comes twice', async () => {
		const [, , , , , sender = ''] = (await demo.sandbox.chain('eth_accounts')) as string[];
		const parameters = { event: 'addressActivity', direction: 'from', addresses: sender };
		const activity = await triggered('activityTrigger', 'token', {
			...parameters,
			pollTimes: EVERY_MINUTE,
		});
		const blocks = await triggered('evmRpcTrigger', 'token', { event: 'newBlock' });
		await demo.api.activate(activity);
		await demo.api.activate(blocks);
		const begin = await height();
		const pay = async (value: number) =>
			await demo.sandbox.mine({ from: sender, to: demo.chain.other, value: `0x${value}` });

		await pay(1);
		await pay(2);
		await receivedAll(blocks, 2);
		await demo.crash();
		await pay(3);
		await pay(4);
		await receivedAll(activity, 4);
		await pay(5);
		const transfers = await receivedAll(activity, 5);
		assert.deepEqual(
			transfers.map(({ value }) => value),
			['1', '2', '3', '4', '5'],
		);
		const emitted = await receivedAll(blocks, 5);
		assert.deepEqual(numbersOf(emitted), await numbersAfter(begin));
		for (const id of [activity, blocks]) await demo.api.deactivate(id);
		for (const secret of secrets()) {
			assert.ok(!JSON.stringify(await received(activity)).includes(secret));
		}
	});
});
