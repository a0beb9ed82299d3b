import type { Page } from 'playwright-core';
import { examples } from '../../../demo/examples/examples.mts';
import { importExample } from '../../../demo/examples/run.mts';
import type { Demo } from '../../../demo/run/demo.mts';
import { areaOf, part, settled, THEMES, type Theme } from './editor.mts';

interface Shot {
	/** Its file below docs/pictures, where the dark one has `-dark` behind its name. */
	readonly name: string;
	readonly themes: readonly Theme[];
	readonly take: (page: Page, demo: Demo, path: string) => Promise<void>;
}

export const shots: readonly Shot[] = [
	workflow('workflow', 'faucet-top-up'),
	panel('wait', 'faucet-top-up', 'Wait for the Payment'),
	panel('pin', 'pin-report', 'Pin Metadata'),
	form('chainPlatformApi'),
	form('chainNodeTokenApi'),
	form('chainNodeBasicAuthApi'),
];

/** A whole workflow that has run. */
function workflow(name: string, file: string): Shot {
	return {
		name,
		themes: THEMES,
		take: async (page, demo, path) => {
			await openExecuted(page, demo, file);
			await page.keyboard.press('1');
			await settled(page);
			await page.screenshot({ path, clip: await areaOf(page.locator('.vue-flow__node')) });
		},
	};
}

/** The details of a node that has run. */
function panel(name: string, file: string, node: string): Shot {
	return {
		name,
		themes: ['light'],
		take: async (page, demo, path) => {
			await openExecuted(page, demo, file);
			await part(page, 'canvas-node').filter({ hasText: node }).first().dblclick();
			await part(page, 'output-panel').getByText('Schema').click();
			await settled(page);
			await part(page, 'ndv').screenshot({ path });
		},
	};
}

/** The form of a credential, with the outcome of its test. */
function form(type: string): Shot {
	return {
		name: type,
		themes: ['light'],
		take: async (page, demo, path) => {
			const saved = await demo.api.ask<Array<{ id: string; type: string }>>('GET', '/credentials');
			const { id } = saved.find((one) => one.type === type) ?? { id: '' };
			await page.goto(`/home/credentials/${id}`, { waitUntil: 'commit' });
			const modal = part(page, 'editCredential-modal');
			await modal.waitFor();
			await settled(page);
			await modal.screenshot({ path });
		},
	};
}

/** An example that runs in the editor, to its end. */
async function openExecuted(page: Page, demo: Demo, file: string): Promise<void> {
	const example = examples.find((one) => one.file === file);
	if (!example) throw new Error(`There is no example "${file}"`);
	const { id } = await importExample(demo, example);
	await page.goto(`/workflow/${id}`, { waitUntil: 'commit' });
	await part(page, 'canvas-node').first().waitFor();
	await part(page, 'execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').waitFor();
}
