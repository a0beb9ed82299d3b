import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { demo } from '../world.mts';
import { field, part, pictures, TWO_AT_A_TIME, visit } from './browser.mts';

interface Form {
	type: string;
	/** The texts to type into the fields, in order. The last field is the secret. */
	fields: () => Record<string, string>;
	refusal: string;
}

const forms: readonly Form[] = [
	{
		type: 'Chain Platform API',
		fields: () => ({ baseUrl: demo.sandbox.platformUrl, apiKey: demo.sandbox.apiKey }),
		refusal: 'The service refused the API key: Invalid API key.',
	},
	{
		type: 'Chain Node Token API',
		fields: () => ({ nodeUrl: demo.sandbox.nodeUrl, authToken: demo.sandbox.authToken }),
		refusal: 'The service refused the token: 401 Authorization Required',
	},
	{
		type: 'Chain Node Basic Auth API',
		fields: () => ({
			nodeUrl: demo.sandbox.nodeUrl,
			username: demo.sandbox.username,
			password: demo.sandbox.password,
		}),
		refusal: 'The service refused the username or the password: 401 Authorization Required',
	},
	{
		type: 'Chain Node X-Token API',
		fields: () => ({ endpoint: demo.sandbox.grpcEndpoint, xToken: demo.sandbox.xToken }),
		refusal: 'The service refused the x-token: invalid x-token',
	},
];

describe('the form of a credential', TWO_AT_A_TIME, () => {
	for (const form of forms) {
		it(`${form.type} is filled in and tested by clicking`, async () => {
			await visit('/home/credentials', async (page) => await tryOut(page, form));
		});
	}
});

async function tryOut(page: Page, { type, fields, refusal }: Form): Promise<void> {
	const values = Object.entries(fields());
	const [secret, right] = values.pop() ?? ['', ''];
	const save = part(page, 'credential-save-button');
	const success = page.getByText('Connection tested successfully');

	await openForm(page, type);
	for (const [name, value] of values) await enter(page, name, value);
	await enter(page, secret, 'wrong-secret-0123');
	await save.click();
	await page.getByText('Couldn’t connect with these settings').waitFor();
	await page.getByText('More details').click();
	await page.getByText(refusal).waitFor();
	await pictures(page, `form-${secret}-refused`);

	await enter(page, secret, right);
	await save.click();
	await success.waitFor();
	await pictures(page, `form-${secret}-accepted`);

	const answer = page.waitForResponse(/credentials\/test/);
	await page.getByRole('button', { name: 'Retry' }).click();
	assert.match(await (await answer).text(), /"status":"OK"/);
	await success.waitFor();
}

async function openForm(page: Page, type: string): Promise<void> {
	await part(page, 'add-resource-credential').click();
	await part(page, 'new-credential-type-select').click();
	await page.keyboard.type(type);
	await part(page, 'new-credential-type-select-option').getByText(type, { exact: true }).click();
	await part(page, 'new-credential-type-button').click();
	await part(page, 'editCredential-modal').waitFor();
}

/**
 * Types a value into a field. n8n needs a moment to store typed text, and loses the text if the form is saved at once.
 */
async function enter(page: Page, name: string, value: string): Promise<void> {
	await field(page, name).fill('');
	await field(page, name).pressSequentially(value);
	await page.waitForTimeout(600);
}
