import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NODES } from '../../../test/harness/nodes.mts';
import { buildParts, type Parts } from './parts.mts';
import { collectSamples, formatSamples } from './samples/all.mts';
import { makeSchemas } from './schemas.mts';
import { formatDefaultsTable } from './usual.mts';
import { startWorld } from './world.mts';

const made = join(__dirname, '..', '..', '..', '.cache', 'docs');

async function keep(name: string, value: unknown): Promise<void> {
	await mkdir(made, { recursive: true });
	await writeFile(join(made, name), JSON.stringify(value, null, '\t'));
}

test('every operation and every event is shown with its parameters and what comes out', async () => {
	const world = await startWorld();
	const samples = await collectSamples(world);
	const shown = formatSamples(samples, await world.steady());
	await world.stop();
	const all: Record<string, Parts> = { 'docs/limits.md': { usual: formatDefaultsTable() } };
	for (const { description } of NODES) {
		all[`docs/nodes/${description.name}.md`] = buildParts(
			description,
			shown.get(description.name) ?? new Map(),
		);
	}
	await keep('parts.json', all);
	await keep('schemas.json', makeSchemas(samples));
});
