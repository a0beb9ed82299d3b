import type { Page } from 'playwright-core';
import { demo, type CredentialType } from '../world.mts';
import { field, part, pictures } from './browser.mts';
import { choose, execute } from './details.mts';

const FUNCTION = 'balanceOf(address holder) view returns (uint256 balance)';

const locator = (page: Page) => part(page, 'resource-locator-function');

/** Chooses a function from the list, which the editor fills from the contract on the chain. */
async function chooseFunction(page: Page, name: string): Promise<void> {
	await part(locator(page), 'rlc-input').click();
	await part(page, 'rlc-item').getByText(name).first().click();
}

/** Declares a function by hand. */
export async function declareFunction(page: Page, declared: string): Promise<void> {
	await part(locator(page), 'rlc-mode-selector').click();
	await part(page, 'mode-hand').click();
	await locator(page).locator('input[data-test-id="rlc-input"]').fill(declared);
	await page.keyboard.press('Tab');
}

/** Chooses a function of a contract in the open node, fills in its arguments, and runs the node. */
export async function callFunction(page: Page, type: CredentialType): Promise<void> {
	await choose(page, type);
	await field(page, 'to').fill(demo.chain.token);
	await chooseFunction(page, 'balanceOf');
	await pictures(page, 'contract-listed');
	await declareFunction(page, FUNCTION);
	await field(page, 'holder').fill(demo.chain.owner);
	await pictures(page, 'contract-fields');
	await execute(page);
	await part(page, 'output-panel')
		.getByText(await balance())
		.first()
		.waitFor();
	await pictures(page, 'contract-result');
}

/** Reads the owner's token balance directly from the chain, because other tests may have sent some of it away. */
async function balance(): Promise<string> {
	const data = `0x70a08231${demo.chain.owner.slice(2).padStart(64, '0')}`;
	const request = { to: demo.chain.token, data };
	return BigInt(String(await demo.sandbox.chain('eth_call', request, 'latest'))).toString();
}
