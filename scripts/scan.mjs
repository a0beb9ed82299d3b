// This script applies the rules of n8n's verification scan to the source and to the packed tarball.
// n8n's own command scans a published version and always exits with 0.
// Here, any warning is a failure. A file in the tarball that n8n does not need is a failure as well.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = join(import.meta.dirname, '..');
const EXPECTED_FILE_PATTERN =
	/^(dist\/(credentials|known|nodes|types)\/.*\.(js|json)|dist\/icons\/.*\.svg|README\.md|LICENSE\.md|package\.json)$/;
/** The files that n8n reads at its start in place of the nodes. */
const METADATA_FILES = ['known', 'types'].flatMap((kind) => [
	`dist/${kind}/credentials.json`,
	`dist/${kind}/nodes.json`,
]);
const temporary = mkdtempSync(join(tmpdir(), 'chain-infra-scan-'));

try {
	const findings = [
		...(await scanFiles('source', root, SOURCE_FILE_PATTERNS)),
		...(await scanFiles('tarball', unpackTarball(), ['**/*.{js,ts,json}'])),
	];
	process.exitCode = findings.length > 0 ? 1 : 0;
} finally {
	rmSync(temporary, { recursive: true, force: true });
}

/** Lints files without regard to inline disables, as n8n's scan does. */
async function scanFiles(what, directory, patterns) {
	const eslint = new ESLint({
		cwd: directory,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = await eslint.lintFiles(patterns);
	const findings = results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0);
	const formatter = await eslint.loadFormatter('stylish');
	console.log(`scan of the ${what}: ${results.length} files, ${findings.length} with findings`);
	console.log(await formatter.format(findings));
	if (results.length === 0) throw new Error(`The scan of the ${what} found no files`);
	return findings;
}

function unpackTarball() {
	const pack = ['pack', '--json', '--pack-destination', temporary];
	const output = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' });
	const [packed] = JSON.parse(output);
	checkContents(packed);
	execFileSync('tar', ['-xzf', join(temporary, packed.filename), '-C', temporary]);
	return join(temporary, 'package');
}

function checkContents({ files, size }) {
	const paths = files.map(({ path }) => path);
	const foreign = paths.filter((path) => !EXPECTED_FILE_PATTERN.test(path));
	const missing = METADATA_FILES.filter((path) => !paths.includes(path));
	console.log(`the tarball: ${files.length} files, ${Math.round(size / 1000)} kB`);
	if (foreign.length > 0) throw new Error(`The tarball holds too much: ${foreign.join(', ')}`);
	if (missing.length > 0) throw new Error(`The tarball lacks ${missing.join(', ')}`);
}
