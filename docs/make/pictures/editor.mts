import { join } from 'node:path';
import { chromium, type Locator, type Page } from 'playwright-core';
import type { Demo } from '../../../demo/run/demo.mts';
import { root } from '../../../tools/paths.mjs';

export type Theme = 'light' | 'dark';
export const THEMES: readonly Theme[] = ['light', 'dark'];

const BROWSER_OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
const TIMEOUT_MS = 60_000;

export interface Window {
	readonly width: number;
	readonly height: number;
	/** The number of picture pixels for each pixel of the page. */
	readonly scale: number;
}

const DEFAULT_WINDOW: Window = { width: 1280, height: 800, scale: 1 };

/** Opens n8n's editor in a browser and logs in. */
export async function openEditor({ url, login }: Demo, theme: Theme) {
	const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
	const browser = await chromium.launch({ executablePath, args: BROWSER_OPTIONS });
	const settings = { colorScheme: theme, baseURL: url };
	const first = await browser.newContext(settings);
	const data = { emailOrLdapLoginId: login.email, password: login.password };
	await first.request.post('/rest/login', { data });
	const storageState = await first.storageState();
	return {
		visit: async (
			act: (page: Page) => Promise<void>,
			{ scale: deviceScaleFactor, ...viewport } = DEFAULT_WINDOW,
		) => {
			const seen = { viewport, deviceScaleFactor, storageState };
			const page = await browser.newPage({ ...settings, ...seen });
			page.setDefaultTimeout(TIMEOUT_MS);
			try {
				await act(page);
			} catch (error) {
				await page.screenshot({ path: join(root, '.cache', 'docs', 'failed.png') });
				throw error;
			} finally {
				await page.close();
			}
		},
		close: async () => await browser.close(),
	};
}

/** Finds an element by its test id, which n8n sets. */
export function locatePart(page: Page | Locator, name: string): Locator {
	return page.locator(`[data-test-id="${name}"]`);
}

/** Waits for the end of opening transitions. It also hides notices, which would cover a part of the page. */
export async function waitUntilSettled(page: Page): Promise<void> {
	await page.addStyleTag({ content: '.el-notification { display: none !important }' });
	await page.waitForTimeout(1500);
}
