import type { Api } from './api.mts';
import type { RunningN8n } from './oneProcess.mts';

interface NodeType {
	name: string;
	displayName: string;
	/** All versions, the newest last. */
	version: number | number[];
}

/** Adds the package to n8n's database. n8n loads packages from its folder, but lists only those in its database. */
export async function registerPackage(
	running: RunningN8n,
	api: Api,
	manifest: { name: string },
): Promise<void> {
	const types = await api.types<NodeType>('nodes');
	const nodes = types
		.filter(({ name }) => name.startsWith(`${manifest.name}.`) && !name.endsWith('Tool'))
		.map(({ name, displayName, version }) => ({
			type: name,
			displayName,
			version: [version].flat().at(-1),
		}));
	if (nodes.length === 0) throw new Error(`n8n has not loaded ${manifest.name}.`);
	await running.register(JSON.stringify({ ...manifest, nodes }));
}
