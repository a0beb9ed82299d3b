import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Code {
	readonly file: string;
	readonly code: string;
}

/** One process for all: to load the rules takes longer than to follow them. */
const LINT_SCRIPT = `
	import { ESLint } from 'eslint';
	import { text } from 'node:stream/consumers';
	const lint = new ESLint({ overrideConfigFile: 'eslint.tools.config.mjs' });
	const broken = JSON.parse(await text(process.stdin)).map(async ({ file, code }) => {
		const [{ messages }] = await lint.lintText(code, { filePath: file });
		return messages.map(({ ruleId }) => ruleId);
	});
	console.log(JSON.stringify(await Promise.all(broken)));
`;

/** The rules that the lint finds broken by code in files of the packages. */
function findBrokenRules(codes: readonly Code[]): string[][] {
	const { stdout, stderr } = spawnSync(
		process.execPath,
		['--input-type=module', '-e', LINT_SCRIPT],
		{
			cwd: join(__dirname, '..', '..'),
			input: JSON.stringify(codes),
			encoding: 'utf8',
		},
	);
	expect(stderr).toBe('');
	return JSON.parse(stdout) as string[][];
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
		'nodes/core/evm/a.ts',
		'credentials/a.ts',
		'grpc/nodes/a.ts',
		'grpc/library/json/a.mts',
		'signer/rules/a.ts',
		'signer/library/a.mts',
	];
	const rules = findBrokenRules(files.map((file) => ({ file, code })));
	const wanted = files.map((file) => [file, Array(4).fill('no-restricted-syntax')]);
	expect(files.map((file, index) => [file, rules[index]])).toEqual(wanted);
}, 60_000);

test('the lint lets lists be spread into lists and objects, and constants into calls', () => {
	const code = [
		"const NAMES = ['a', 'b'];",
		'export const joined = (many: string[]) => [...NAMES, ...many];',
		'export const copy = (one: object) => ({ ...one });',
		'export const named = (of: (...names: string[]) => string) => of(...NAMES);',
	].join('\n');
	expect(findBrokenRules([{ file: 'nodes/a.ts', code }])).toEqual([[]]);
}, 60_000);
