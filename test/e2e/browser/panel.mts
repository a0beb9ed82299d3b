import type { Page } from 'playwright-core';
import { part } from './browser.mts';

/** Opens the node panel of a workflow, unless it is open. */
export async function openPanel(page: Page): Promise<void> {
	await part(page, 'node-creator-plus-button').click();
	await part(page, 'node-creator-search-bar').waitFor();
}

export async function search(page: Page, words: string): Promise<void> {
	await part(page, 'node-creator').locator('input').first().fill(words);
}

/** Adds the trigger "Trigger manually" to an empty workflow. */
export async function addTrigger(page: Page): Promise<void> {
	await openPanel(page);
	await search(page, 'manual');
	// The trigger is called "Manual Trigger" in n8n 1.
	await item(page, /^(Trigger manually|Manual Trigger)$/).click();
	await part(page, 'canvas-trigger-node').waitFor();
}

/** Adds an action of a node. n8n then opens the details of the node. */
export async function addAction(page: Page, node: string, action: string): Promise<void> {
	await openPanel(page);
	await search(page, node);
	await item(page, node).click();
	await item(page, action).click();
	await part(page, 'ndv').waitFor();
}

export function item(page: Page, name: string | RegExp) {
	return part(page, 'node-creator-item-name').getByText(name, { exact: true }).first();
}
