// This module bundles a package together with its libraries, because n8n installs no dependencies of community
// packages.
// n8n may load the nodes when it starts, so the nodes stay small. The libraries are in a bundle of their own, which a
// node loads at its first use.
import { build } from 'esbuild';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatLicenses } from './licenses.mjs';

/**
 * Bundles the nodes and the credentials of a package. The nodes import the file `library` of the folder `library/` when
 * they first need it. The list `external` names modules that libraries mention but never call.
 */
export async function bundle(root, { nodes, credentials, library, external = [] }) {
	const dist = join(root, 'dist');
	const shared = {
		absWorkingDir: root,
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		outbase: '.',
		outdir: 'dist',
		minifySyntax: true,
		minifyWhitespace: true,
		legalComments: 'none',
		metafile: true,
	};
	rmSync(dist, { recursive: true, force: true });
	await build({
		...shared,
		entryPoints: [
			...nodes.map((node) => `nodes/${node}/${node}.node.ts`),
			...credentials.map((credential) => `credentials/${credential}.credentials.ts`),
		],
		external: ['n8n-workflow'],
		plugins: [createLazyPlugin(basename(library, '.mts'))],
		supported: { 'dynamic-import': false },
	});
	const { metafile } = await build({
		...shared,
		entryPoints: [library],
		// The module `n8n-workflow` stays outside of the bundle. Only code that the bundler removes imports it.
		external: [...external, 'n8n-workflow'],
	});
	const ofNodes = nodes.flatMap((node) => [
		`nodes/${node}/${node}.node.json`,
		`nodes/${node}/__schema__`,
	]);
	for (const copied of ['icons', ...ofNodes]) {
		cpSync(join(root, copied), join(dist, copied), { recursive: true });
	}
	writeFileSync(
		join(dist, 'library', 'LICENSES.md'),
		formatLicenses(root, Object.keys(metafile.inputs)),
	);
}

/** Keeps the library out of the bundles of the nodes, which import it by `import()`. */
function createLazyPlugin(library) {
	return {
		name: 'lazy library',
		setup: ({ onResolve }) =>
			onResolve({ filter: new RegExp(`/library/${library}\\.mts$`) }, ({ path, kind }) =>
				kind === 'dynamic-import'
					? { path: path.replace('.mts', '.js'), external: true }
					: undefined,
			),
	};
}
