import type { Page } from 'playwright-core';
import { credential, type CredentialType } from '../world.mts';
import { part, picture } from './browser.mts';

/** Picks a credential in the open details of a node. */
export async function choose(page: Page, type: CredentialType): Promise<void> {
	await part(page, 'node-credentials-select').click();
	await picture(page, `menu-${type}`);
	await part(page, `node-credentials-select-item-${credential(type).id}`).click();
}

/** Runs the node whose details are open. */
export async function execute(page: Page): Promise<void> {
	await part(page, 'node-execute-button').first().click();
}

/** Closes the details of a node. In n8n 1, a link back to the canvas closes them. */
export async function close(page: Page): Promise<void> {
	await part(page, 'ndv-close-button').or(part(page, 'back-to-canvas')).first().click();
}
