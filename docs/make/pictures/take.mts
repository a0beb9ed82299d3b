import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runExamples } from '../../../demo/examples/run.mts';
import { printTable } from '../../../demo/examples/table.mts';
import { startDemo, type Demo } from '../../../demo/run/demo.mts';
import { stopPrograms } from '../../../tools/processes.mjs';
import { root } from '../../../tools/paths.mjs';
import { openEditor, THEMES } from './editor.mts';
import { shots } from './shots.mts';

const folder = join(root, 'docs', 'pictures');

/** Takes all pictures of the documentation again. They show a real n8n that uses the sandbox. */
export async function takePictures(): Promise<void> {
	try {
		const demo = await startDemo();
		const results = await runExamples(demo);
		if (results.some(({ outcome }) => outcome === 'failed')) {
			printTable(results);
			throw new Error('An example has failed.');
		}
		await takeIn(demo);
		await demo.stop();
	} finally {
		await stopPrograms();
	}
}

async function takeIn(demo: Demo): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const theme of THEMES) {
		const editor = await openEditor(demo, theme);
		for (const { name, themes, window, take } of shots) {
			if (themes.includes(theme)) {
				const path = join(folder, `${name}${theme === 'dark' ? '-dark' : ''}.png`);
				await editor.visit(async (page) => await take(page, demo, path), window);
				console.log(path);
			}
		}
		await editor.close();
	}
}
