import type { Page } from 'playwright-core';
import { type Example, examples } from '../../../demo/examples/examples.mts';
import { importExample } from '../../../demo/examples/run.mts';
import type { Demo } from '../../../demo/run/demo.mts';
import { part, settled, THEMES, type Theme, type Window } from './editor.mts';
import { importRow, rows, type Row } from './rows.mts';

interface Shot {
	/** Its file below docs/pictures, where the dark one has `-dark` behind its name. */
	readonly name: string;
	readonly themes: readonly Theme[];
	readonly window?: Window;
	readonly take: (page: Page, demo: Demo, path: string) => Promise<void>;
}

export const shots: readonly Shot[] = [
	...rows.map(row),
	panel('wait', 'faucet-top-up', 'Wait for the Payment'),
	panel('pin', 'pin-report', 'Pin Metadata'),
	form('chainPlatformApi'),
	form('chainNodeTokenApi'),
	form('chainNodeBasicAuthApi'),
];

/** Without the place where the next node would be added, and without patches of the canvas behind labels. */
const CLEAN = `
	[data-test-id=canvas-handle-plus-wrapper], [class*=runDataLabel] { display: none !important }
	[class*=edgeLabel] { background: none !important }
`;

/** A few nodes of an example, that have run. */
function row(what: Row): Shot {
	return {
		name: what.name,
		themes: THEMES,
		window: { width: 3200, height: 700, scale: 2 },
		take: async (page, demo, path) => {
			const example = exampleOf(what.file);
			await execute(page, demo, await importRow(demo, what, example), example);
			await page.addStyleTag({ content: CLEAN });
			await page.keyboard.press('1');
			await settled(page);
			await part(page, 'sticky').screenshot({ path });
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
	const example = exampleOf(file);
	const { id } = await importExample(demo, example);
	await execute(page, demo, id, example);
}

function exampleOf(file: string): Example {
	const example = examples.find((one) => one.file === file);
	if (!example) throw new Error(`There is no example "${file}"`);
	return example;
}

async function execute(page: Page, demo: Demo, id: string, { event }: Example): Promise<void> {
	await page.goto(`/workflow/${id}`, { waitUntil: 'commit' });
	await part(page, 'canvas-node').first().waitFor();
	await part(page, 'execute-workflow-button').click();
	const succeeded = page.getByText('Workflow executed successfully').waitFor();
	let isOver = false;
	const over = succeeded.finally(() => (isOver = true));
	// A trigger hears only of what happens once it listens.
	while (event && !isOver) {
		await event(demo);
		await page.waitForTimeout(1000);
	}
	await over;
}
