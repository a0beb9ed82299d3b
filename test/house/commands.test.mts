import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json';

const root = join(__dirname, '..', '..');
const readText = (file: string) => readFileSync(join(root, file), 'utf8');

/** A command runs in a step of .ci/run, in a test, here at once, or not, for a reason. */
type Run =
	| { readonly step: string }
	| { readonly test: string }
	| { readonly here: RegExp }
	| { readonly not: string };

const PART_OF_TESTS = { step: 'test' };
const LONG_REASON = 'it takes ten minutes, and nothing waits for it';
const BY_HAND_REASON = 'a person looks at what it shows; the same is started in a test';

const COMMANDS: Readonly<Record<string, Run>> = {
	'bash .ci/run': { not: 'it runs this test' },
	'bash .ci/run quick': { not: 'it runs this test' },
	'docker compose up --build': { test: 'test/queue/compose.test.mts' },
	'node --import tsx --test': { not: 'it is the beginning of a command' },
	'node --import tsx bench/storage.mts filesystem': {
		not: 'a benchmark of its own, in queue mode',
	},
	'node --import tsx sandbox/main.mts': { here: /"controlUrl":"http/ },
	"node --inspect-brk node_modules/jest/bin/jest.js --runInBand test/engine/tonFee -t 'totals'": {
		not: 'it waits for a debugger',
	},
	'node scripts/closure.mjs nodes/EvmRpc/token.ts': { here: /token\.ts: \d+ files, \d+ lines/ },
	'node scripts/setAddress.mjs https://…': { test: 'test/house/address.test.mts' },
	'npm run bench': { not: 'it takes half an hour; .ci/run runs the short one' },
	'npm run bench -- --only uploads': { not: 'a part of the benchmarks' },
	'npm run bench -- --short': { step: 'bench' },
	'npm run bench -- --write': { not: 'it writes into the documentation' },
	'npm run build': { step: 'scan' },
	'npm run build:grpc': { step: 'e2e' },
	'npm run build:signer': { step: 'e2e' },
	'npm run chaos': { not: LONG_REASON },
	'npm run docs': { not: 'it writes; docs:check does the same and compares' },
	'npm run docs -- --pictures': { not: 'a person looks at the pictures before they are kept' },
	'npm run docs:check': { step: 'docs' },
	'npm run figures': { not: 'it measures, which is no test' },
	'npm run lint': { step: 'lint' },
	'npm run lint --workspace grpc': { step: 'lint' },
	'npm run mutate': { not: 'it takes a minute for each of its places' },
	'npm run mutate -- --list': { here: /Seed \d+, 20 places\n(nodes|grpc|signer)\/\S+:\d+ \(\w/ },
	'npm run mutate -- --only nodes/core/transport/rpc': { not: 'it takes a minute for each place' },
	'npm run mutate -- --seed 7 --places 20': { not: 'it takes a minute for each place' },
	'npm run release': { test: 'test/house/release.test.mts' },
	'npm run release 0.2.0': { test: 'test/house/release.test.mts' },
	'npm run release 0.2.0 -- --dry-run': { test: 'test/house/release.test.mts' },
	'npm run reset': { here: /The data of the demo is gone/ },
	'npm run scan': { step: 'scan' },
	'npm run schemas': { not: 'it writes; without that the same file is a test' },
	'npm run soak': { not: LONG_REASON },
	'npm run start:queue': { not: `${BY_HAND_REASON}, test/queue` },
	'npm run test:e2e': { step: 'e2e' },
	'npm run test:e2e:quick': { step: 'e2e, what comes first' },
	'npm run test:faults': { step: 'faults' },
	'npm run test:foreign': { step: 'foreign' },
	'npm run test:queue': { step: 'queue' },
	'npm run test:unit': PART_OF_TESTS,
	'npm run test:unit -- --watch': { not: 'it waits for changes' },
	'npm run test:unit -- test/unit/values/hex': { here: /Tests: +\d+ passed/ },
	'npm run typecheck': { step: 'type check' },
	'npm run dev': { not: `${BY_HAND_REASON}, until it is stopped` },
	'npm start': { not: `${BY_HAND_REASON}, test/e2e` },
	'npm start -- --once': { not: 'test/e2e starts the same demo and runs the same examples' },
	'npm start --workspace sandbox': { here: /"controlUrl":"http/ },
	'npm test': { step: 'test' },
	'npx jest --runInBand test/engine/trace': PART_OF_TESTS,
	"npx jest test/engine/trace -t 'a failed trace'": PART_OF_TESTS,
	'npx jest test/engine/versions': PART_OF_TESTS,
};

/** Where people are told what to run, and what. */
function findCommands(): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const file of listPages()) {
		for (const command of getCommands(readText(file))) {
			found.set(command, [...(found.get(command) ?? []), file]);
		}
	}
	return found;
}

function listPages(): string[] {
	const own = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'SECURITY.md'];
	const readmes = manifest.workspaces.map((folder) => join(folder, 'README.md'));
	const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.md'))
		.map((name) => join('docs', name));
	return [...own, ...readmes, ...docs].filter((file) => existsSync(join(root, file)));
}

const COMMAND_PATTERN = /^(npm (run|test|start)\b|npx |node (-|\S+\/)|bash \S+|docker compose )/;

/** Of code in a line and of blocks of code, without what is said of it. */
export function getCommands(page: string): string[] {
	const blocks = [...page.matchAll(/^ *```\w*\n([^]*?)^ *```/gm)].flatMap(([, code = '']) =>
		code.split('\n'),
	);
	const rest = page.replace(/^ *```[^]*?^ *```/gm, '');
	const inLine = [...rest.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/\s+/g, ' '));
	return [
		...new Set([...blocks, ...inLine].map((line) => line.replace(/\s+#.*/, '').trim())),
	].filter((line) => COMMAND_PATTERN.test(line));
}

const documentedCommands = [...findCommands()];

test('commands are found in blocks and in lines, without their comments', () => {
	const page =
		'Run `npm run a --\n x`, not `npm view`.\n\n```\nnpm test    # all\n$ no\n```\n\n`a`';
	expect(getCommands(page)).toEqual(['npm test', 'npm run a -- x']);
});

test('every command that the documentation names is known here, and is named there', () => {
	expect(documentedCommands.map(([command]) => command).sort()).toEqual(
		Object.keys(COMMANDS).sort(),
	);
});

test.each(documentedCommands)('what "%s" runs is there', (command) => {
	const words = command.split(' ');
	const [program, script = ''] = words;
	if (program === 'npm') {
		const folder = /--workspace (\S+)/.exec(command)?.[1] ?? '.';
		const { scripts } = JSON.parse(readText(join(folder, 'package.json'))) as { scripts: object };
		expect(Object.keys(scripts)).toContain(script === 'run' ? words[2] : script);
	}
	const paths = words.filter((word) => /^[\w.]+\/[\w./-]+$/.test(word));
	for (const path of paths) expect([path, isPlace(path)]).toEqual([path, true]);
});

/** Jest takes the beginning of a path. */
function isPlace(path: string): boolean {
	if (existsSync(join(root, path))) return true;
	const folder = path.slice(0, path.lastIndexOf('/'));
	const name = path.slice(folder.length + 1);
	return readdirSync(join(root, folder)).some((one) => one.startsWith(name));
}

const knownCommands = Object.entries(COMMANDS);
const getRuns = <Key extends string>(key: Key) =>
	knownCommands.flatMap(([command, run]) =>
		key in run ? [[command, (run as Readonly<Record<Key, unknown>>)[key]] as const] : [],
	);

test.each(getRuns('step'))('"%s" runs in the step "%s" of .ci/run', (_, step) => {
	expect(readText('.ci/run')).toMatch(new RegExp(`^\\s*(step|beside) '${String(step)}' `, 'm'));
});

test.each(getRuns('test'))('"%s" runs in %s', (_, file) => {
	expect(existsSync(join(root, String(file)))).toBe(true);
});

test.each(getRuns('not'))('"%s" is not run: %s', (_, reason) => {
	expect(String(reason)).toMatch(/^[a-z].{15,}[^.]$/);
});

test.each(getRuns('here'))('"%s" runs, and says %s', (command, words) => {
	const data = mkdtempSync(join(tmpdir(), 'commands-'));
	const env = { ...process.env, CHAIN_INFRA_DATA: data, JEST_WORKER_ID: undefined };
	const [program = '', ...options] = command.split(' ');
	const { status, stdout, stderr } = spawnSync(program, options, {
		...{ cwd: root, encoding: 'utf8', env },
		shell: process.platform === 'win32',
	});
	rmSync(data, { recursive: true, force: true });
	expect(stdout + stderr).toMatch(words as RegExp);
	expect(status).toBe(0);
});
