import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { balanceOf, demo } from '../world.mts';
import { field, part, pictures, visit } from './browser.mts';
import { callFunction } from './contract.mts';
import { choose, close, execute } from './details.mts';
import { addAction, addTrigger } from './panel.mts';

describe('in the editor', () => {
	it('nodes are added, configured and executed by clicking', async () => {
		await visit('/workflow/new', async (page) => {
			await addTrigger(page);
			await addAction(page, 'Chain EVM RPC', 'Get balance of account');
			await readBalance(page);
			await pictures(page, 'balance');
			await close(page);

			await addAction(page, 'Chain Faucet', 'Request testnet funds');
			await askForFunds(page, '0x12', "'Address' must be an address");
			await pictures(page, 'faucet-error');
			await askForFunds(page, `0x${randomBytes(20).toString('hex')}`, 'transactionHash');
			await pictures(page, 'faucet-paid');
			await close(page);
			await pictures(page, 'canvas');

			// The menu lists credentials of both authentication types. Choosing one also sets the authentication.
			await addAction(page, 'Chain EVM RPC', 'Read from smart contract');
			await callFunction(page, 'chainNodeBasicAuthApi');
		});
	});
});

async function readBalance(page: Page): Promise<void> {
	await choose(page, 'chainNodeTokenApi');
	await field(page, 'address').fill(demo.chain.payer);
	await execute(page);
	const wei = await balanceOf(demo.chain.payer);
	await part(page, 'output-panel').getByText(wei).first().waitFor();
}

async function askForFunds(page: Page, address: string, shown: string): Promise<void> {
	await choose(page, 'chainPlatformApi');
	await field(page, 'address').fill(address);
	await execute(page);
	await part(page, 'output-panel').getByText(shown).first().waitFor();
}
