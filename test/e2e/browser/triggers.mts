import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { control, demo } from '../world.mts';
import { field, part, picture, pictures, visit } from './browser.mts';
import { choose, execute } from './details.mts';
import { item, openPanel, search } from './panel.mts';

const VALUE_EVENT = 'On value beyond threshold (low balance, price)';

describe('triggers in the editor', () => {
	it('are added by clicking and show an event', async () => {
		await visit('/workflow/new', async (page) => {
			await addFirst(page, 'Chain EVM RPC', 'On new block');
			await choose(page, 'chainNodeTokenApi');
			await pictures(page, 'evm-rpc-trigger');
			await listen(page);
			await pictures(page, 'evm-rpc-trigger-listening');
			await mineUntilShown(page, 'parentHash');
			await pictures(page, 'evm-rpc-trigger-event');
		});
		await visit('/workflow/new', async (page) => {
			await addFirst(page, 'Chain Activity', 'On activity of address (wallet, deposit)');
			await choose(page, 'chainNodeBasicAuthApi');
			await field(page, 'addresses').fill(demo.chain.payer);
			await execute(page);
			await part(page, 'output-panel').getByText('transactionHash').first().waitFor();
			await pictures(page, 'activity-trigger');
		});
		await visit('/workflow/new', async (page) => {
			await addFirst(page, 'Chain Activity', VALUE_EVENT);
			await choose(page, 'chainNodeTokenApi');
			await field(page, 'address').fill(demo.chain.payer);
			await field(page, 'threshold').fill('1.5');
			await execute(page);
			await part(page, 'output-panel').getByText('previousBlockNumber').first().waitFor();
			await pictures(page, 'activity-trigger-value');
		});
	});
});

/** Adds a trigger to an empty workflow. n8n then opens the details of the trigger. */
async function addFirst(page: Page, node: string, event: string): Promise<void> {
	await openPanel(page);
	await search(page, node);
	await item(page, node).click();
	await picture(page, `actions-${node}`);
	await item(page, event).click();
	await part(page, 'ndv').waitFor();
}

/** Runs the trigger by hand. When the function returns, the trigger has opened its connection. */
async function listen(page: Page): Promise<void> {
	const opened = async () => (await control<{ opened: number }>('GET', '/sockets')).opened;
	const before = await opened();
	await execute(page);
	while ((await opened()) === before) await page.waitForTimeout(100);
}

/**
 * Mines a block per second until an event is shown. The first block may come before the trigger has found its start.
 */
async function mineUntilShown(page: Page, words: string): Promise<void> {
	const event = part(page, 'output-panel').getByText(words).first();
	for (let blocks = 0; blocks < 60 && !(await event.isVisible()); blocks++) {
		await demo.sandbox.chain('anvil_mine', '0x1');
		await page.waitForTimeout(1000);
	}
	await event.waitFor();
}
