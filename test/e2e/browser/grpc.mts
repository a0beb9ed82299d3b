import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { field, part, picture, THEMES, visit } from './browser.mts';
import { choose, execute } from './details.mts';
import { addAction, addTrigger } from './panel.mts';

describe('the gRPC node in the editor', () => {
	for (const theme of THEMES) {
		it(`offers the services and methods of the endpoint, ${theme}`, async () => {
			await visit(theme, '/workflow/new', async (page) => {
				await addTrigger(page);
				await addAction(page, 'Chain gRPC', 'Call a gRPC method');
				await choose(page, 'chainNodeXTokenApi');
				await pick(page, 'service', 'chain.v1.ChainService');
				await picture(page, `grpc-service-${theme}`);
				await pick(page, 'method', 'GetBlock');
				await field(page, 'request').fill('{ "number": 9007199254740993 }');
				await execute(page);
				await part(page, 'output-panel').getByText('9007199254740993').first().waitFor();
				await picture(page, `grpc-called-${theme}`);
			});
		});
	}
});

/** Chooses an entry of a list that the endpoint fills. */
async function pick(page: Page, parameter: string, name: string): Promise<void> {
	await part(part(page, `resource-locator-${parameter}`), 'rlc-input').click();
	await picture(page, `grpc-list-${parameter}`);
	await part(page, 'rlc-item').getByText(name, { exact: true }).first().click();
}
