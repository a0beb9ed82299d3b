import { join } from 'node:path';
import type { Api } from './api.mts';
import type { Installed } from './n8nServer.mts';
import { userFolder } from '../tools/paths.mjs';
import { run } from '../tools/processes.mjs';

interface NodeType {
	name: string;
	displayName: string;
	version: number;
}

/** n8n loads what lies in its folder, and lists what its database knows; the second is done here. */
export async function registerPackage(
	installed: Installed,
	api: Api,
	manifest: { name: string },
): Promise<void> {
	const types = await api.nodeTypes<NodeType>();
	const nodes = types
		.filter(({ name }) => name.startsWith(`${manifest.name}.`) && !name.endsWith('Tool'))
		.map(({ name, displayName, version }) => ({ type: name, displayName, version }));
	if (nodes.length === 0) throw new Error(`n8n has not loaded ${manifest.name}.`);
	const script = join(import.meta.dirname, 'registration.mjs');
	const database = join(userFolder, '.n8n', 'database.sqlite');
	await run(installed.node, [script, database, JSON.stringify({ ...manifest, nodes })]);
}
