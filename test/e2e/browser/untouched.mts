import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { demo } from '../world.mts';
import { field, part, picture, visit } from './browser.mts';
import { declareFunction } from './contract.mts';
import { close } from './details.mts';
import { addAction, addTrigger } from './panel.mts';

const NODE = 'Chain EVM RPC';

describe('a panel in which nothing was typed yet', () => {
	it('has no field in red, whatever is chosen, and asks for the name of a function where several are declared', async () => {
		await visit('/workflow/new', async (page) => {
			await addTrigger(page);
			await addAction(page, NODE, (await menuOf('operation', 'prepare')).action!);
			for (const { name, value } of await optionsOf('kind')) {
				await pick(page, 'kind', name);
				assert.equal(await red(page).count(), 0, `red for ${name}`);
				await picture(page, `untouched-${String(value)}`);
			}
			// The field is emptied again, because the editor marks an empty required field in red.
			await field(page, 'from').fill('0');
			await field(page, 'from').fill('');
			await page.keyboard.press('Tab');
			await red(page).first().waitFor();
			await close(page);

			await addAction(page, NODE, (await menuOf('operation', 'call')).action!);
			assert.equal(await red(page).count(), 0);
			await declareFunction(page, 'f(uint256 a)');
			// The field of the first argument appears once the editor has parsed the function.
			await part(page, 'parameter-input-a').waitFor();
			assert.equal(await part(page, 'parameter-input-functionName').count(), 0);
			await picture(page, 'function-declared');
			await declareFunction(page, 'f(uint256 a); g(bool b)');
			await pick(page, 'functionName', 'g(bool b)');
			await part(page, 'parameter-input-b').waitFor();
			await picture(page, 'function-several');
		});
	});
});

const red = (page: Page) => part(page, 'parameter-issues');

async function pick(page: Page, menu: string, name: string): Promise<void> {
	await part(page, `parameter-input-${menu}`).first().click();
	await page.getByRole('option').getByText(name, { exact: true }).first().click();
}

async function menuOf(menu: string, value: string): Promise<INodePropertyOptions> {
	return (await optionsOf(menu)).find((one) => one.value === value)!;
}

/** Lists all options of a menu of the node. */
async function optionsOf(menu: string): Promise<INodePropertyOptions[]> {
	const types = await demo.api.types<INodeTypeDescription>('nodes');
	const { properties } = types.find(({ displayName }) => displayName === NODE)!;
	return properties
		.filter(({ name }: INodeProperties) => name === menu)
		.flatMap(({ options = [] }) => options as INodePropertyOptions[]);
}
