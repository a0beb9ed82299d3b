import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { node, save, type Node } from './workflows.mts';
import { credential, demo } from './world.mts';

const TRIGGER = 'Balance Is Low';
const AFTER = 'After It';
const COIN = 10n ** 18n;

describe('a workflow that watches a value', () => {
	it('goes on where it stopped when it is switched off and on, or another node is edited', async () => {
		const address = `0x${randomBytes(20).toString('hex')}`;
		const hold = async (coins: bigint) => {
			await demo.sandbox.chain('anvil_setBalance', address, `0x${(coins * COIN).toString(16)}`);
			await demo.sandbox.chain('anvil_mine', '0x1');
		};
		const nodes = [
			node(
				TRIGGER,
				'n8n-nodes-chain-infra.activityTrigger',
				{ event: 'value', address, threshold: '2', rearmAt: '3' },
				{ credentials: { chainNodeTokenApi: credential('chainNodeTokenApi') } },
			),
			node(AFTER, 'n8n-nodes-base.noOp', {}),
		];
		const connections = { [TRIGGER]: { main: [[{ node: AFTER, type: 'main', index: 0 }]] } };
		await hold(1n);
		const id = await save({ nodes, connections });
		/**
		 * Activates the workflow, and counts all its executions so far.
		 * A poll follows each activation at once, so a wrong start shows in the next count.
		 */
		const countStarts = async (expected: number) => {
			await demo.api.activate(id);
			const count = async () => (await demo.api.executions(id)).length;
			for (let tries = 0; tries < 100 && (await count()) < expected; tries++) await sleep(250);
			return await count();
		};
		assert.equal(await countStarts(1), 1);
		assert.equal(await countStarts(1), 1);
		const saved = await demo.api.ask<{ nodes: Node[] }>('GET', `/workflows/${id}`);
		const edited = saved.nodes.map((one) =>
			one.name === AFTER ? { ...one, notes: 'edited' } : one,
		);
		await demo.api.ask('PATCH', `/workflows/${id}`, { ...saved, nodes: edited });
		assert.equal(await countStarts(1), 1);
		await hold(2n);
		assert.equal(await countStarts(1), 1);
		await hold(1n);
		assert.equal(await countStarts(1), 1);
		await hold(3n);
		assert.equal(await countStarts(1), 1);
		await hold(1n);
		assert.equal(await countStarts(2), 2);
		await demo.api.deactivate(id);
	});
});
