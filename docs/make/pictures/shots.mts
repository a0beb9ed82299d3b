import type { Page } from 'playwright-core';
import { type Example, examples } from '../../../demo/examples/examples.mts';
import { importExample } from '../../../demo/examples/run.mts';
import type { Demo } from '../../../demo/run/demo.mts';
import { locatePart, waitUntilSettled, THEMES, type Theme, type Window } from './editor.mts';
import { importRow, rows, type PictureRow } from './rows.mts';

interface Shot {
	/** The path of the file below docs/pictures. The dark variant has the suffix `-dark`. */
	readonly name: string;
	readonly themes: readonly Theme[];
	readonly window?: Window;
	readonly take: (page: Page, demo: Demo, path: string) => Promise<void>;
}

export const shots: readonly Shot[] = [
	...rows.map(shootRow),
	shootPanel('wait', 'top-up-when-it-runs-low', 'Wait for the Payment'),
	shootPanel('pin', 'pin-report', 'Pin Metadata'),
	shootForm('chainPlatformApi'),
	shootForm('chainNodeTokenApi'),
	shootForm('chainNodeBasicAuthApi'),
];

/** The styles that hide the button for the next node, and the backgrounds behind labels on the canvas. */
const CLEAN_STYLE = `
	[data-test-id=canvas-handle-plus-wrapper], [class*=runDataLabel] { display: none !important }
	[class*=edgeLabel] { background: none !important }
`;

/** Describes a picture that shows a few nodes of an example after they have run. */
function shootRow(what: PictureRow): Shot {
	return {
		name: what.name,
		themes: THEMES,
		window: { width: 3200, height: 700, scale: 2 },
		take: async (page, demo, path) => {
			const example = getExample(what.file);
			await runExample(page, demo, await importRow(demo, what, example), example);
			await page.addStyleTag({ content: CLEAN_STYLE });
			await page.keyboard.press('1');
			await waitUntilSettled(page);
			await locatePart(page, 'sticky').screenshot({ path });
		},
	};
}

/** Describes a picture that shows the details of a node after it has run. */
function shootPanel(name: string, file: string, node: string): Shot {
	return {
		name,
		themes: ['light'],
		take: async (page, demo, path) => {
			await openExecuted(page, demo, file);
			await locatePart(page, 'canvas-node').filter({ hasText: node }).first().dblclick();
			await locatePart(page, 'output-panel').getByText('Schema').click();
			await waitUntilSettled(page);
			await locatePart(page, 'ndv').screenshot({ path });
		},
	};
}

/** Describes a picture that shows the form of a credential after its test. */
function shootForm(type: string): Shot {
	return {
		name: type,
		themes: ['light'],
		take: async (page, demo, path) => {
			const saved = await demo.api.ask<Array<{ id: string; type: string }>>('GET', '/credentials');
			const { id } = saved.find((one) => one.type === type) ?? { id: '' };
			await page.goto(`/home/credentials/${id}`, { waitUntil: 'commit' });
			const modal = locatePart(page, 'editCredential-modal');
			await modal.waitFor();
			await waitUntilSettled(page);
			await modal.screenshot({ path });
		},
	};
}

/** Opens an example in the editor, and runs it to its end. */
async function openExecuted(page: Page, demo: Demo, file: string): Promise<void> {
	const example = getExample(file);
	const { id } = await importExample(demo, example);
	await runExample(page, demo, id, example);
}

function getExample(file: string): Example {
	const example = examples.find((one) => one.file === file);
	if (!example) throw new Error(`There is no example "${file}"`);
	return example;
}

async function runExample(page: Page, demo: Demo, id: string, { event }: Example): Promise<void> {
	await page.goto(`/workflow/${id}`, { waitUntil: 'commit' });
	await locatePart(page, 'canvas-node').first().waitFor();
	await locatePart(page, 'execute-workflow-button').click();
	const succeeded = page.getByText('Workflow executed successfully').waitFor();
	let isOver = false;
	const over = succeeded.finally(() => (isOver = true));
	// A trigger receives only events that come after it has begun to listen, so the event is repeated.
	while (event && !isOver) {
		await event(demo);
		await page.waitForTimeout(1000);
	}
	await over;
}
