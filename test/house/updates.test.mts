import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import manifest from '../../package.json';

const root = join(__dirname, '..', '..');

interface Update {
	readonly 'package-ecosystem': string;
	readonly directory: string;
	readonly groups?: Readonly<Record<string, { readonly patterns: readonly string[] }>>;
	readonly ignore?: ReadonlyArray<{ readonly 'dependency-name': string }>;
}

describe('what Dependabot updates', () => {
	const file = readFileSync(join(root, '.github', 'dependabot.yml'), 'utf8');
	const { updates } = parse(file) as { updates: readonly Update[] };
	const { dependencies } = JSON.parse(
		readFileSync(join(root, 'node_modules', '@n8n', 'node-cli', 'package.json'), 'utf8'),
	) as { dependencies: Readonly<Record<string, string>> };
	const own: Readonly<Record<string, string>> = manifest.devDependencies;

	test('has a lockfile where it is looked for', () => {
		const folders = updates
			.filter((one) => one['package-ecosystem'] === 'npm')
			.map(({ directory }) => directory);
		expect(folders).toEqual(['/', '/demo/n8n', '/test/foreign']);
		for (const folder of folders)
			expect(existsSync(join(root, folder, 'package-lock.json'))).toBe(true);
	});

	test("leaves alone what n8n's command line pins", () => {
		const ignored = updates[0]!.ignore!.map((one) => one['dependency-name']);
		expect(ignored).toEqual(expect.arrayContaining(['eslint', 'prettier', 'typescript']));
		expect(own.eslint).toBe(dependencies.eslint);
		expect(own['@eslint/js']).toBe(dependencies['@eslint/js']);
	});

	test("is n8n's packages together", () => {
		const { patterns } = updates[0]!.groups!.n8n!;
		const fits = (name: string) =>
			patterns.some((one) =>
				one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one,
			);
		const ofN8n = Object.keys(own).filter((name) => /^(@n8n\/|n8n-)/.test(name));
		expect(ofN8n.filter((name) => !fits(name))).toEqual([]);
	});

	test('is never a jest whose inside is another', () => {
		const names = ['jest', '@jest/test-sequencer', 'jest-environment-node', 'jest-runtime'];
		const versions = names.map((name) => own[name]);
		expect(versions[0]).toMatch(/^\d+\.\d+\.\d+$/);
		expect(new Set(versions).size).toBe(1);
	});
});
