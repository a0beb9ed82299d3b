import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { demo } from '../world.mts';
import { field, part, picture, THEMES, visit } from './browser.mts';
import { choose, execute } from './details.mts';
import { addAction, addTrigger } from './panel.mts';

const FUNCTION = 'balanceOf(address holder) view returns (uint256 balance)';

describe('a contract in the editor', () => {
	for (const theme of THEMES) {
		it(`is called by a function that is typed, whose arguments become fields, ${theme}`, async () => {
			await visit(theme, '/workflow/new', async (page) => {
				await addTrigger(page);
				await addAction(page, 'Chain EVM RPC', 'Call a contract');
				await choose(page, 'chainNodeTokenApi');
				await field(page, 'to').fill(demo.chain.token);
				await typeFunction(page, FUNCTION);
				await picture(page, `contract-fields-${theme}`);
				await field(page, 'holder').fill(demo.chain.owner);
				await execute(page);
				await part(page, 'output-panel')
					.getByText(await balance())
					.first()
					.waitFor();
				await picture(page, `contract-result-${theme}`);
			});
		});
	}
});

async function typeFunction(page: Page, declaration: string): Promise<void> {
	await part(page, 'parameter-input-function').locator('textarea').fill(declaration);
	await page.keyboard.press('Tab');
	await part(page, 'parameter-input-holder').waitFor();
}

/** The owner holds all that was made, less what other tests have sent away; the chain itself says how much. */
async function balance(): Promise<string> {
	const data = `0x70a08231${demo.chain.owner.slice(2).padStart(64, '0')}`;
	const request = { to: demo.chain.token, data };
	return BigInt(String(await demo.sandbox.chain('eth_call', request, 'latest'))).toString();
}
