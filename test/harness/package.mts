import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

interface Tested {
	readonly root: string;
	/** The path of the node's file without its extension, such as `nodes/Grpc/Grpc.node`. */
	readonly node: string;
	/** The files below `dist`, without schemas. The manifest, the license and the page of the package are not listed. */
	readonly files: readonly string[];
}

/** Builds the gRPC package or the signer package, and defines the tests that both packages share. */
export function testPackage({ root, node, files }: Tested) {
	const dist = join(root, 'dist');

	beforeAll(async () => {
		await execute(process.execPath, [join(root, 'scripts/build.mjs')]);
	});

	test('the package holds what n8n needs, and nothing else', async () => {
		const { stdout } = await execute('npm', ['pack', '--dry-run', '--json'], { cwd: root });
		const [packed] = JSON.parse(stdout) as [{ files: ReadonlyArray<{ path: string }> }];
		const manifest = ['LICENSE.md', 'README.md', 'package.json'];
		const sources = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' });
		const schemas = sources
			.filter((path) => path.includes('__schema__') && path.endsWith('.json'))
			.map((path) => join('nodes', path));
		expect(packed.files.map(({ path }) => path).sort()).toEqual(
			[...manifest, ...[...files, ...schemas].map((file) => `dist/${file}`)].sort(),
		);
		const { dependencies, n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
		expect(dependencies).toBeUndefined();
		for (const file of [...n8n.nodes, ...n8n.credentials]) statSync(join(root, file));
	});

	test('the bundles know nothing of this machine', () => {
		const built = readdirSync(dist, { recursive: true, withFileTypes: true });
		for (const { parentPath, name } of built.filter((entry) => entry.isFile())) {
			const text = readFileSync(join(parentPath, name), 'utf8');
			expect(text).not.toContain(join(root, '..'));
			expect(text).not.toContain('sourceMappingURL');
		}
	});

	return {
		dist,
		/**
		 * Runs a script in a plain Node process, which loads the node as n8n does. Returns the JSON that the script
		 * printed.
		 */
		inNode: async <T,>(script: string, environment: NodeJS.ProcessEnv = {}): Promise<T> => {
			const before = `const file = ${JSON.stringify(join(dist, `${node}.js`))};
				const print = (value) => console.log(JSON.stringify(value));`;
			const { stdout } = await execute(process.execPath, ['--eval', `${before}\n${script}`], {
				env: { PATH: process.env.PATH, ...environment },
			});
			return JSON.parse(stdout) as T;
		},
	};
}
