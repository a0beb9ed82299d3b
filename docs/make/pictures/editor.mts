import { join } from 'node:path';
import { chromium, type Locator, type Page } from 'playwright-core';
import type { Demo } from '../../../demo/run/demo.mts';
import { root } from '../../../demo/tools/paths.mjs';

export type Theme = 'light' | 'dark';
export const THEMES: readonly Theme[] = ['light', 'dark'];

const OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
const PATIENCE = 60_000;

/** n8n's editor in a browser, logged in. */
export async function openEditor({ url, login }: Demo, theme: Theme) {
	const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
	const browser = await chromium.launch({ executablePath, args: OPTIONS });
	const viewport = { width: 1280, height: 800 };
	const context = await browser.newContext({ viewport, colorScheme: theme, baseURL: url });
	const data = { emailOrLdapLoginId: login.email, password: login.password };
	await context.request.post('/rest/login', { data });
	return {
		visit: async (act: (page: Page) => Promise<void>) => {
			const page = await context.newPage();
			page.setDefaultTimeout(PATIENCE);
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

/** An element by the name that n8n gives it for tests. */
export function part(page: Page | Locator, name: string): Locator {
	return page.locator(`[data-test-id="${name}"]`);
}

/** Opening transitions take a moment, and notices would hide what is shown. */
export async function settled(page: Page): Promise<void> {
	await page.addStyleTag({ content: '.el-notification { display: none !important }' });
	await page.waitForTimeout(1500);
}

const MARGIN = 20;

/** The part of the page that holds all of these, with a margin. */
export async function areaOf(elements: Locator) {
	const boxes = await elements.evaluateAll((all) =>
		all.map((element) => {
			const { left, top, right, bottom } = element.getBoundingClientRect();
			return { left, top, right, bottom };
		}),
	);
	const x = Math.min(...boxes.map(({ left }) => left)) - MARGIN;
	const y = Math.min(...boxes.map(({ top }) => top)) - MARGIN;
	const right = Math.max(...boxes.map((box) => box.right)) + MARGIN;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + 2 * MARGIN;
	return { x, y, width: right - x, height: bottom - y };
}
