import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NODES } from '../../../test/harness/nodes.mts';
import { buildParts, type Parts } from './parts.mts';
import { collectSamples } from './samples/all.mts';
import { formatDefaultsTable } from './usual.mts';
import { startWorld } from './world.mts';

const file = join(__dirname, '..', '..', '..', '.cache', 'docs', 'parts.json');

test('every operation and every event is shown with its parameters and what comes out', async () => {
	const world = await startWorld();
	const shown = await collectSamples(world);
	await world.stop();
	const all: Record<string, Parts> = { 'docs/limits.md': { usual: formatDefaultsTable() } };
	for (const { description } of NODES) {
		all[`docs/nodes/${description.name}.md`] = buildParts(
			description,
			shown.get(description.name) ?? new Map(),
		);
	}
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, JSON.stringify(all, null, '\t'));
});
