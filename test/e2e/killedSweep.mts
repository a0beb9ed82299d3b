import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { chooseIndex, deriveDeposit } from '../../demo/examples/deposits.mts';
import { waitForExecution } from '../../demo/examples/run.mts';
import { DEPOSITS_DESTINATION } from '../../demo/run/credentials.mts';
import { waitUntil } from '../harness/until.mts';
import { thorough } from './folder.mts';
import { COINS, readHeld } from './money.mts';
import { line, ours, outputs, save, START } from './workflows.mts';
import { control, demo } from './world.mts';

/** The delay of the answer to a sent transaction. n8n is killed before the delay ends. */
const HELD_MS = 60_000;
const PAID = 5n * 10n ** 18n;

describe(
	'Sweep, where n8n is killed between a top-up and the sweep, and after the sweep',
	thorough,
	() => {
		const index = chooseIndex();
		const address = deriveDeposit(index);
		let workflowId: string;
		/**
		 * The state before the sweep: the balance of the destination, and the number of transactions that the treasury had
		 * sent.
		 */
		let held: bigint;
		let sent: number;
		let toppedUp: bigint;

		const countSent = async (account: string) =>
			Number(await demo.sandbox.chain('eth_getTransactionCount', account, 'latest'));
		const begin = async () => await demo.api.runWorkflow(workflowId, START);
		/** Runs the workflow, and kills n8n as soon as `isThere` finds on the chain what the workflow has sent. */
		async function killOnce(isThere: () => Promise<boolean>): Promise<void> {
			const late = { sends: 'evm', times: 100, do: { delay: HELD_MS, when: 'after' } };
			await control('POST', '/faults', late);
			await begin();
			await waitUntil(isThere);
			await demo.crash();
			await control('DELETE', '/faults');
		}
		const readDestination = async () => await readHeld(demo.chain.token, DEPOSITS_DESTINATION);

		before(async () => {
			const { token, treasury, transferTo } = demo.chain;
			await transferTo(address, PAID);
			workflowId = await save(
				line(ours('pay', 'payer', { operation: 'sweep', chain: 'evm', token, indexes: index })),
			);
			held = await readDestination();
			sent = await countSent(treasury);
			await killOnce(async () => (await readHeld(COINS, address)) > 0n);
			toppedUp = await readHeld(COINS, address);
			assert.equal(await countSent(address), 0);
			await killOnce(async () => (await countSent(address)) > 0);
		});
		after(async () => await control('DELETE', '/faults'));

		it('the run repeated uses the coins that are there, in place of a second top-up', async () => {
			assert.equal(await countSent(demo.chain.treasury), sent + 1);
			assert.ok(toppedUp > 0n);
			assert.ok((await readHeld(COINS, address)) < toppedUp);
		});

		it('the tokens are moved once, and a third run finds nothing to sweep', async () => {
			assert.equal(await readDestination(), held + PAID);
			const third = await waitForExecution(demo.api, await begin());
			assert.equal(third.status, 'success', third.data.resultData.error?.message);
			assert.deepEqual(outputs(third).flat(), []);
			assert.equal(await countSent(address), 1);
			assert.equal(await readDestination(), held + PAID);
		});
	},
);
