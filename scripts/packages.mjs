import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists every package of this repository that is published, the root's first: all have one version. */
export function listPublishedPackages(root) {
	const { workspaces } = readManifest(root);
	return ['.', ...workspaces]
		.map((folder) => ({ folder, manifest: readManifest(join(root, folder)) }))
		.filter(({ manifest }) => !manifest.private);
}

function readManifest(folder) {
	return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
