import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json';

const root = join(__dirname, '..', '..');
const currentAddress = manifest.homepage.replace(/#.*$/, '');
let copy: string;

/** The tested command changes the links in files, so each test runs it on a copy of the files. */
beforeEach(() => {
	copy = mkdtempSync(join(tmpdir(), 'chain-infra-address-'));
	for (const place of ['package.json', 'scripts', 'credentials', 'nodes']) {
		cpSync(join(root, place), join(copy, place), { recursive: true });
	}
	mkdirSync(join(copy, 'docs'));
	writeFileSync(
		join(copy, 'docs', 'page.md'),
		`See ${currentAddress}#nodes and https://example.com.`,
	);
});
afterEach(() => rmSync(copy, { recursive: true }));

function runSetAddress(...given: string[]) {
	const script = join(copy, 'scripts', 'setAddress.mjs');
	return spawnSync(process.execPath, [script, ...given], { encoding: 'utf8' });
}

const findLinks = (folder: string) =>
	execFileSync('grep', ['-rhoE', 'https://[a-z.]+/[a-z0-9/-]*(#[a-z]+)?', folder], {
		encoding: 'utf8',
	});

test('one command leads all links to the address, and back', () => {
	expect(runSetAddress('https://docs.example.org/chain/').stdout).toMatch(
		/^\d\d files lead to https/,
	);
	expect(findLinks(join(copy, 'nodes'))).not.toContain(currentAddress);
	expect(findLinks(join(copy, 'nodes'))).toContain('https://docs.example.org/chain#nodes');
	expect(findLinks(join(copy, 'credentials'))).toContain(
		'https://docs.example.org/chain#credentials',
	);
	const { homepage, repository } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
	expect(homepage).toBe('https://docs.example.org/chain#readme');
	expect(repository.url).toBe('git+https://docs.example.org/chain.git');
	expect(readFileSync(join(copy, 'docs', 'page.md'), 'utf8')).toBe(
		'See https://docs.example.org/chain#nodes and https://example.com.',
	);
	runSetAddress(currentAddress);
	expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(
		readFileSync(join(root, 'package.json'), 'utf8'),
	);
});

test.each([
	'',
	'http://docs.example.org',
	'docs.example.org',
	'https://x.org/?a',
	"https://x.org/'",
])('"%s" is no address', (given) => {
	const { status, stderr } = runSetAddress(given);
	expect([status, stderr]).toEqual([1, expect.stringContaining('Give an address that begins')]);
});

test('the check fails as long as the address leads nowhere', () => {
	runSetAddress('https://www.example.com/anything');
	expect(runSetAddress('--check').status).toBe(1);
	runSetAddress('https://docs.example.org/chain');
	expect(runSetAddress('--check').status).toBe(0);
});

test('publishing asks for the check before anything else costs time', () => {
	const workflow = readFileSync(join(root, '.github', 'workflows', 'publish.yml'), 'utf8');
	const commands = [...workflow.matchAll(/^\s+- run: (.*)$/gm)].map(([, command]) => command);
	expect(commands.slice(0, 2)).toContain('node scripts/setAddress.mjs --check');
});
