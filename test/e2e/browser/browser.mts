import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import {
	chromium,
	type Browser,
	type BrowserContext,
	type Locator,
	type Page,
} from 'playwright-core';
import { screenshots } from '../folder.mts';
import { demo } from '../world.mts';

const THEMES = ['light', 'dark'] as const;

/** The options for tests that share nothing. They run two at a time, because the editor takes five seconds to load. */
export const TWO_AT_A_TIME = { concurrency: 2 };

const OPTIONS = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
const PATIENCE = 60_000;

let browser: Promise<Browser> | undefined;
/** The browser context of all tests. A new context would have an empty cache. */
let context: Promise<BrowserContext> | undefined;

let failures = 0;

after(async () => await (await browser)?.close());

/**
 * Opens a path of n8n's editor while logged in, and acts on the page. After a failure, a picture of the page is saved.
 */
export async function visit(path: string, act: (page: Page) => Promise<void>): Promise<void> {
	context ??= logIn();
	const page = await (await context).newPage();
	page.setDefaultTimeout(PATIENCE);
	try {
		await page.goto(demo.url + path, { waitUntil: 'commit' });
		await act(page);
	} catch (error) {
		await picture(page, `failed-${++failures}`);
		throw error;
	} finally {
		await page.close();
	}
}

async function logIn(): Promise<BrowserContext> {
	const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
	browser ??= chromium.launch({ executablePath, args: OPTIONS });
	const viewport = { width: 1400, height: 1000 };
	const opened = await (await browser).newContext({ viewport });
	const { email, password } = demo.login;
	const data = { emailOrLdapLoginId: email, password };
	await opened.request.post(`${demo.url}/rest/login`, { data });
	return opened;
}

/** Finds an element by its test id, which n8n sets. */
export function part(page: Page | Locator, name: string): Locator {
	return page.locator(`[data-test-id="${name}"]`);
}

/** Finds the input of a node's parameter or of a credential's field. */
export function field(page: Page, name: string): Locator {
	return part(page, `parameter-input-${name}`).locator('input, [contenteditable]').first();
}

/** Saves a picture of the page for people. The pause lets opening transitions end. */
export async function picture(page: Page, name: string): Promise<void> {
	await mkdir(screenshots, { recursive: true });
	await page.waitForTimeout(400);
	await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** Saves a picture of the page in each colour scheme, because n8n follows the scheme of the system. */
export async function pictures(page: Page, name: string): Promise<void> {
	for (const colorScheme of THEMES) {
		await page.emulateMedia({ colorScheme });
		await picture(page, `${name}-${colorScheme}`);
	}
	await page.emulateMedia({ colorScheme: null });
}
