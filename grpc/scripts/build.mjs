// Bundles the package: n8n installs no dependencies for it. The nodes, which n8n may load when it starts, stay small:
// grpc-js and protobuf-es lie in a bundle of their own, which a node loads on first use.
import { build } from 'esbuild';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenses } from './licenses.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const nodes = ['Grpc', 'GrpcTrigger'];

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

const lazyLibrary = {
	name: 'lazy library',
	setup: ({ onResolve }) =>
		onResolve({ filter: /\/library\/session\.mts$/ }, ({ path, kind }) =>
			kind === 'dynamic-import' ? { path: path.replace('.mts', '.js'), external: true } : undefined,
		),
};

rmSync(dist, { recursive: true, force: true });
await build({
	...shared,
	entryPoints: [
		...nodes.map((node) => `nodes/${node}/${node}.node.ts`),
		'credentials/ChainNodeXTokenApi.credentials.ts',
	],
	external: ['n8n-workflow'],
	plugins: [lazyLibrary],
	supported: { 'dynamic-import': false },
});
const { metafile } = await build({
	...shared,
	entryPoints: ['library/session.mts'],
	// Of parts of grpc-js that are never called, and of parts of the core that are tree-shaken.
	external: ['@grpc/proto-loader', 'n8n-workflow'],
});
for (const copied of ['icons', ...nodes.map((node) => `nodes/${node}/${node}.node.json`)]) {
	cpSync(join(root, copied), join(dist, copied), { recursive: true });
}
writeFileSync(join(dist, 'library', 'LICENSES.md'), licenses(root, Object.keys(metafile.inputs)));
