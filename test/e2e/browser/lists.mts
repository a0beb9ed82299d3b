import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { buildTonScene } from '../../cases/tonScene.mts';
import { control } from '../world.mts';
import { line, ours, save } from '../workflows.mts';
import { part, pictures, visit } from './browser.mts';
import { execute } from './details.mts';

describe('a jetton that a workflow stored before there was a list', () => {
	it('is shown, is paid, and can be chosen from the list', async () => {
		const { owner, receiver, jetton } = await buildTonScene(control);
		const payment = { kind: 'jettonTransfer', from: owner, to: receiver, jetton, amount: '1' };
		const parameters = { resource: 'transaction', operation: 'prepare', ...payment };
		const id = await save(line(ours('ton', 'token', parameters)));
		await visit(`/workflow/${id}`, async (page) => {
			await part(page, 'canvas-node').last().dblclick();
			await part(page, 'ndv').waitFor();
			assert.equal(await shown(page), jetton);
			assert.equal(await part(page, 'parameter-issues').count(), 0);
			await pictures(page, 'list-stored-before');
			await execute(page);
			await part(page, 'output-panel').getByText('Send 1 ').first().waitFor();

			await part(locator(page), 'rlc-mode-selector').click();
			await part(page, 'mode-list').click();
			await part(locator(page), 'rlc-input').click();
			await part(page, 'rlc-item').getByText('"SBD"').first().click();
			assert.match(await shown(page), /^"SBD" \(/);
			await pictures(page, 'list-chosen');
			await execute(page);
			await part(page, 'output-panel').getByText('Send 1 ').first().waitFor();
		});
	});
});

const locator = (page: Page) => part(page, 'resource-locator-jetton');

async function shown(page: Page): Promise<string> {
	return await locator(page)
		.locator('input[data-test-id="rlc-input"], [data-test-id="rlc-input"] input')
		.first()
		.inputValue();
}
