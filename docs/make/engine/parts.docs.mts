import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodes } from './nodes.mts';
import { partsOf, type Parts } from './parts.mts';
import { samplesIn } from './samples/all.mts';
import { usualTable } from './usual.mts';
import { startWorld } from './world.mts';

const file = join(__dirname, '..', '..', '..', '.cache', 'docs', 'parts.json');

test('every operation and every event is shown with its parameters and what comes out', async () => {
	const world = await startWorld();
	const shown = await samplesIn(world);
	await world.stop();
	const all: Record<string, Parts> = { 'docs/limits.md': { usual: usualTable() } };
	for (const { description } of nodes) {
		all[`docs/nodes/${description.name}.md`] = partsOf(
			description,
			shown.get(description.name) ?? new Map(),
		);
	}
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, JSON.stringify(all, null, '\t'));
});
