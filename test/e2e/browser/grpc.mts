import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { field, part, picture, pictures, TWO_AT_A_TIME, visit } from './browser.mts';
import { choose, execute } from './details.mts';
import { addAction, addTrigger } from './panel.mts';

describe('the gRPC node in the editor', TWO_AT_A_TIME, () => {
	it('offers the services and methods of the endpoint', async () => {
		await visit('/workflow/new', async (page) => {
			await addCall(page);
			await pick(page, 'service', 'chain.v1.ChainService');
			await pictures(page, 'grpc-service');
			await pick(page, 'method', 'GetBlock');
			await field(page, 'request').fill('{ "number": 9007199254740993 }');
			await execute(page);
			await part(page, 'output-panel').getByText('9007199254740993').first().waitFor();
			await pictures(page, 'grpc-called');
		});
	});

	it('draws a field for each of the request', async () => {
		await visit('/workflow/new', async (page) => {
			await addCall(page);
			await choice(page, 'requestBy', 'Fields');
			await notice(page, 'Choose a service and a method');
			await picture(page, 'grpc-fields-none');
			await pick(page, 'service', 'chain.v1.ChainService');
			await pick(page, 'method', 'GetBlock');
			await label(page, 'number (uint64) or hash').waitFor();
			await field(page, 'number').fill('9007199254740993');
			await part(page, 'remove-field-button-hash').click({ force: true });
			await label(page, 'hash (base64) or number').waitFor({
				state: 'hidden',
			});
			await pictures(page, 'grpc-fields');
			await execute(page);
			await part(page, 'output-panel').getByText('9007199254740993').first().waitFor();
			await picture(page, 'grpc-fields-called');
		});
	});

	it('draws fields of every sort', async () => {
		await visit('/workflow/new', async (page) => {
			await addCall(page);
			await choice(page, 'requestBy', 'Fields');
			await pick(page, 'service', 'chain.v1.TroubleService');
			await pick(page, 'method', 'EchoToken');
			await notice(page, 'The request of EchoToken has no fields.');
			await pick(page, 'service', 'chain.v1.EchoService');
			await pick(page, 'method', 'Echo');
			await label(page, 'kind (Kind)').waitFor();
			await pictures(page, 'grpc-fields-many');
			await choice(page, 'kind', 'KIND_SEVEN');
			for (const name of ['optionalBool (bool)', 'point (Point)', 'int32List (list of int32)']) {
				// n8n 1 shows a select element here in place of a menu.
				await part(page, 'add-fields-select').locator('button, input').first().click();
				await picture(page, 'grpc-fields-more');
				const menuItem = page.getByRole('menuitem', { name, exact: true });
				await menuItem.or(page.getByRole('option', { name, exact: true })).click();
			}
			await picture(page, 'grpc-fields-end');
			await execute(page);
			await part(page, 'output-panel').getByText('KIND_SEVEN').first().waitFor();
			await picture(page, 'grpc-fields-echo');
		});
	});
});

async function addCall(page: Page): Promise<void> {
	await addTrigger(page);
	await addAction(page, 'Chain gRPC', 'Call gRPC method');
	await choose(page, 'chainNodeXTokenApi');
}

/** Chooses an entry from a list that the gRPC endpoint fills. */
async function pick(page: Page, parameter: string, name: string): Promise<void> {
	await part(part(page, `resource-locator-${parameter}`), 'rlc-input').click();
	await picture(page, `grpc-list-${parameter}`);
	await part(page, 'rlc-item').getByText(name, { exact: true }).first().click();
}

/** Chooses an entry from the menu of a parameter. */
async function choice(page: Page, parameter: string, name: string): Promise<void> {
	await part(page, `parameter-input-${parameter}`).click();
	await page.getByRole('option', { name }).first().click();
}

async function notice(page: Page, words: string): Promise<void> {
	await part(page, 'empty-fields-notice').getByText(words).waitFor();
}

function label(page: Page, text: string) {
	return part(page, 'mapping-fields-container').getByText(text, { exact: true });
}
