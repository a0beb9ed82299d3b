import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { buildTonScene } from '../../cases/tonScene.mts';
import { control } from '../world.mts';
import { line, ours, save, type Node } from '../workflows.mts';
import { part, pictures, TWO_AT_A_TIME, visit } from './browser.mts';
import { execute } from './details.mts';

describe('what a workflow stored before there was a list', TWO_AT_A_TIME, () => {
	it('is a jetton: it is shown, is paid, and can be chosen from the list', async () => {
		const { owner, receiver, jetton } = await buildTonScene(control);
		const payment = { kind: 'jettonTransfer', from: owner, to: receiver, jetton, amount: '1' };
		const parameters = { resource: 'transaction', operation: 'prepare', ...payment };
		await open(ours('ton', 'token', parameters), async (page) => {
			await runsWith(page, 'jetton', jetton, 'Send 1 ');
			await choose(page, 'jetton', '"SBD"');
			await runsWith(page, 'jetton', '"SBD" (', 'Send 1 ');
			await pictures(page, 'list-jetton');
		});
	});

	it('is the name of a project, in a collection', async () => {
		const [one, other] = ['雪花 relay', 'Aurora indexer'];
		const parameters = { resource: 'project', operation: 'getAll', filters: { name: one } };
		await open(ours('platform', 'platform', parameters), async (page) => {
			await runsWith(page, 'name', one, one);
			await choose(page, 'name', other);
			await runsWith(page, 'name', other, other);
			await pictures(page, 'list-project');
		});
	});
});

async function open(node: Node, act: (page: Page) => Promise<void>): Promise<void> {
	await visit(`/workflow/${await save(line(node))}`, async (page) => {
		await part(page, 'canvas-node').last().dblclick();
		await part(page, 'ndv').waitFor();
		await act(page);
	});
}

const locator = (page: Page, name: string) => part(page, `resource-locator-${name}`);

/**
 * Expects that a field shows a value and that no field is marked as invalid. Then it runs the node and waits for a
 * result.
 */
async function runsWith(page: Page, name: string, value: string, result: string): Promise<void> {
	const shown = part(locator(page, name), 'rlc-input')
		.locator('input')
		.or(locator(page, name).locator('input[data-test-id="rlc-input"]'));
	const text = await shown.first().inputValue();
	assert.ok(text.startsWith(value), text);
	assert.equal(await part(page, 'parameter-issues').count(), 0);
	await execute(page);
	await part(page, 'output-panel').getByText(result).first().waitFor();
}

async function choose(page: Page, name: string, entry: string): Promise<void> {
	await part(locator(page, name), 'rlc-mode-selector').click();
	await part(page, 'mode-list').click();
	await part(locator(page, name), 'rlc-input').click();
	await part(page, 'rlc-item').getByText(entry).first().click();
}
