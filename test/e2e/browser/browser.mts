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

/** Tests that share nothing run together: the editor takes five seconds to load. */
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
/** All tests share one context, because a new one has an empty cache. */
let context: Promise<BrowserContext> | undefined;

let failures = 0;

after(async () => await (await browser)?.close());

/** Does something in n8n's editor, logged in. After a failure, a picture shows the page. */
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

/** Finds an element by n8n's name for tests. */
export function part(page: Page | Locator, name: string): Locator {
	return page.locator(`[data-test-id="${name}"]`);
}

/** Finds the box of a parameter or of a credential's field. */
export function field(page: Page, name: string): Locator {
	return part(page, `parameter-input-${name}`).locator('input, [contenteditable]').first();
}

/** Keeps a picture for people; opening transitions have ended by then. */
export async function picture(page: Page, name: string): Promise<void> {
	await mkdir(screenshots, { recursive: true });
	await page.waitForTimeout(400);
	await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** Keeps a picture of what the page shows now in each theme: n8n follows the system's. */
export async function pictures(page: Page, name: string): Promise<void> {
	for (const colorScheme of THEMES) {
		await page.emulateMedia({ colorScheme });
		await picture(page, `${name}-${colorScheme}`);
	}
	await page.emulateMedia({ colorScheme: null });
}
