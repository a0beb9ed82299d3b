import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists all published packages of this repository, the root package first. All of them have the same version. */
export function listPublishedPackages(root) {
	const { workspaces } = readManifest(root);
	return ['.', ...workspaces]
		.map((folder) => ({ folder, manifest: readManifest(join(root, folder)) }))
		.filter(({ manifest }) => !manifest.private);
}

function readManifest(folder) {
	return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
