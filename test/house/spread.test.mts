import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const eslint = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');

/** The rules that the lint finds broken by this code in a file of the package. */
function broken(code: string, file: string): string[] {
	const { stdout } = spawnSync(
		process.execPath,
		[
			...[eslint, '--config', 'eslint.tools.config.mjs', '--format', 'json'],
			...['--stdin', '--stdin-filename', file],
		],
		{ cwd: root, input: code, encoding: 'utf8' },
	);
	const [{ messages }] = JSON.parse(stdout) as [{ messages: Array<{ ruleId: string }> }];
	return messages.map(({ ruleId }) => ruleId);
}

test('the lint finds lists of any length that are spread into the arguments of a call, in every folder of the packages', () => {
	const code = [
		'export const all: string[] = [];',
		'export const add = (many: string[]) => all.push(...many);',
		'export const highest = (many: number[]) => Math.max(0, ...many);',
		'export const made = (many: number[]) => new Array(...many);',
		'export const forwarded = (...many: number[]) => Math.max(...many);',
	].join('\n');
	const files = [
		'nodes/a.ts',
		'nodes/core/chain/a.ts',
		'credentials/a.ts',
		'grpc/nodes/a.ts',
		'signer/rules/a.ts',
	];
	for (const file of [...files, 'grpc/library/json/a.mts', 'signer/library/a.mts']) {
		expect([file, broken(code, file)]).toEqual([file, Array(4).fill('no-restricted-syntax')]);
	}
}, 60_000);

test('the lint lets lists be spread into lists and objects, and constants into calls', () => {
	const code = [
		"const NAMES = ['a', 'b'];",
		'export const joined = (many: string[]) => [...NAMES, ...many];',
		'export const copy = (one: object) => ({ ...one });',
		'export const named = (of: (...names: string[]) => string) => of(...NAMES);',
	].join('\n');
	expect(broken(code, 'nodes/a.ts')).toEqual([]);
}, 60_000);
