import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every package of this repository that is published, the root's first: all have one version. */
export function publishedPackages(root) {
	const { workspaces } = manifestIn(root);
	return ['.', ...workspaces]
		.map((folder) => ({ folder, manifest: manifestIn(join(root, folder)) }))
		.filter(({ manifest }) => !manifest.private);
}

function manifestIn(folder) {
	return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
