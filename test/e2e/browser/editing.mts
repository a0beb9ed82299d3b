import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { balanceOf, demo, type CredentialType } from '../world.mts';
import { field, part, picture, THEMES, visit } from './browser.mts';
import { callFunction } from './contract.mts';
import { choose, close, execute } from './details.mts';
import { addAction, addTrigger } from './panel.mts';

/** The menu of credentials contains both kinds; choosing one chooses the authentication. */
const NODE_CREDENTIAL = { light: 'chainNodeTokenApi', dark: 'chainNodeBasicAuthApi' } as const;

describe('in the editor', () => {
	for (const theme of THEMES) {
		it(`nodes are added, configured and executed by clicking, ${theme}`, async () => {
			await visit(theme, '/workflow/new', async (page) => {
				await addTrigger(page);
				await addAction(page, 'Chain EVM RPC', 'Get the balance of an account');
				await readBalance(page, NODE_CREDENTIAL[theme]);
				await picture(page, `balance-${theme}`);
				await close(page);

				await addAction(page, 'Chain Faucet', 'Request testnet funds');
				await askForFunds(page, '0x12', "'Address' must be an address");
				await picture(page, `faucet-error-${theme}`);
				await askForFunds(page, `0x${randomBytes(20).toString('hex')}`, 'transactionHash');
				await picture(page, `faucet-paid-${theme}`);
				await close(page);
				await picture(page, `canvas-${theme}`);

				await addAction(page, 'Chain EVM RPC', 'Read from a smart contract');
				await callFunction(page, NODE_CREDENTIAL[theme], theme);
			});
		});
	}
});

async function readBalance(page: Page, type: CredentialType): Promise<void> {
	await choose(page, type);
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
