// This script makes a release. `npm run release 0.2.0` sets the version of all packages, dates the changelog, notes the
// tested version of n8n, commits and tags. Pushing the tag publishes the release.
// `npm run release 0.2.0 -- --dry-run` only prints the steps.
// `node scripts/release.mjs --check v0.2.0` checks that the checked-out release is that of the tag.
// `node scripts/release.mjs --notes v0.2.0` prints the section of the changelog for the release.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listPublishedPackages } from './packages.mjs';

const root = join(import.meta.dirname, '..');
const VERSION_PATTERN = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
/** Words that may begin a line of the changelog. All other lines begin with the name of a node or a credential. */
const OTHER_SUBJECTS = [
	'All nodes',
	'Credentials',
	'Documentation',
	'Examples',
	'Packages',
	'Triggers',
];

try {
	main();
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}

function main() {
	const flags = { check: { type: 'boolean' }, notes: { type: 'boolean' } };
	const { values, positionals } = parseArgs({
		options: { ...flags, 'dry-run': { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	const version = (positionals[0] ?? '').replace(/^v/, '');
	if (!VERSION_PATTERN.test(version)) throw new Error('Give a version, such as 0.2.0');
	if (values.check) checkRelease(version);
	else if (values.notes) console.log(getSection(version).body);
	else release(version, values['dry-run']);
}

function release(version, isDry) {
	checkIsNew(version);
	const changes = [...setVersions(version), dateChangelog(version)];
	for (const { file, says } of changes) console.log(`${file}: ${says}`);
	if (isDry) {
		console.log('Nothing was written.');
		return;
	}
	for (const { file, text } of changes) writeFileSync(join(root, file), text);
	const tag = `v${version}`;
	runGit(
		'commit',
		'--quiet',
		'--message',
		`Release ${version}`,
		...changes.map(({ file }) => file),
	);
	runGit('tag', '--annotate', tag, '--message', `Release ${version}`);
	console.log(`Committed and tagged. To publish it: git push origin HEAD ${tag}`);
}

function checkIsNew(version) {
	if (runGit('status', '--porcelain') !== '') throw new Error('Commit or stash your changes first');
	if (runGit('tag', '--list', `v${version}`) !== '')
		throw new Error(`v${version} is tagged already`);
	const [last] = listReleases();
	if (last && !isAfter(version, last)) throw new Error(`${version} must be above ${last}`);
}

function isAfter(version, other) {
	const [ours, theirs] = [version, other].map((one) => one.split('.').map(Number));
	const first = ours.findIndex((number, index) => number !== theirs[index]);
	return first >= 0 && ours[first] > theirs[first];
}

/** Sets the versions in the manifest of each package, and in the lockfile. */
function setVersions(version) {
	const packages = listPublishedPackages(root);
	const manifests = packages.map(({ folder, manifest }) => {
		const file = join(folder, 'package.json');
		const text = readText(file).replace(/^(\s*"version": )"[^"]*"/m, `$1"${version}"`);
		return { file, text, says: `${manifest.name} ${manifest.version} becomes ${version}` };
	});
	const file = 'package-lock.json';
	const lock = JSON.parse(readText(file));
	lock.version = version;
	for (const { folder } of packages) lock.packages[folder === '.' ? '' : folder].version = version;
	const text = `${JSON.stringify(lock, null, '\t')}\n`;
	return [...manifests, { file, text, says: `the same for ${packages.length} packages` }];
}

/** Turns the section of unreleased changes in the changelog into the section of the version. */
function dateChangelog(version) {
	const file = 'CHANGELOG.md';
	const text = readText(file);
	const [heading] = /^## .*unreleased.*$/im.exec(text) ?? [];
	if (!heading) throw new Error('CHANGELOG.md has no section that is (unreleased)');
	const { body } = parseSection(text, heading);
	if (body === '') throw new Error('CHANGELOG.md does not say what is new');
	if (listReleases().length > 0) checkLines(body);
	const today = new Date().toISOString().slice(0, 10);
	const tested = `Tested in n8n ${getTestedVersions().join(', every week in ')} and the newest.`;
	return {
		file,
		text: text.replace(heading, () => `## ${version} (${today})\n\n${tested}`),
		says: `"${heading.slice(3)}" becomes "${version} (${today})". ${tested}`,
	};
}

/** Returns two versions of n8n: that of the lockfile, which all tests use, and the oldest that CI tries. */
function getTestedVersions() {
	const { dependencies } = JSON.parse(readText(join('demo', 'n8n', 'package.json')));
	const [, oldest] = /"latest", "([\d.]+)"/.exec(
		readText(join('.github', 'workflows', 'other-n8n.yml')),
	);
	return [dependencies.n8n, oldest];
}

/**
 * Checks that each line of a changelog section begins with its subject, because users look for their node.
 * The first release is exempt.
 */
function checkLines(body) {
	const known = new Set([...OTHER_SUBJECTS, ...getDisplayNames()]);
	for (const line of body.split('\n').filter((one) => one.startsWith('- '))) {
		const [, about = ''] = /^- \*\*([^*]+)\*\*: \S/.exec(line) ?? [];
		if (!about.split(', ').every((name) => known.has(name))) {
			throw new Error(
				`CHANGELOG.md: "${line}" must begin with "- **Chain EVM RPC**: ", what it is about: nodes, credentials, or ${OTHER_SUBJECTS.join(', ')}`,
			);
		}
	}
}

function getDisplayNames() {
	return listPublishedPackages(root).flatMap(({ folder, manifest: { n8n } }) =>
		[...n8n.nodes, ...n8n.credentials].map((path) => {
			const source = path.replace('dist/', '').replace(/\.js$/, '.ts');
			return /displayName(?: =|:) '([^']+)'/.exec(readText(join(folder, source)))?.[1];
		}),
	);
}

function checkRelease(version) {
	for (const { manifest } of listPublishedPackages(root)) {
		if (manifest.version !== version)
			throw new Error(`${manifest.name} has the version ${manifest.version}, not ${version}`);
	}
	getSection(version);
	console.log(`This is ${version}`);
}

function getSection(version) {
	const text = readText('CHANGELOG.md');
	const heading = text.split('\n').find((line) => line.startsWith(`## ${version} (2`));
	if (!heading) throw new Error(`CHANGELOG.md has no dated section of ${version}`);
	return parseSection(text, heading);
}

function parseSection(text, heading) {
	const [, after] = text.split(`${heading}\n`);
	return { heading, body: after.split(/^## /m)[0].trim() };
}

/** Lists the dated versions of the changelog, the latest first. */
function listReleases() {
	return [...readText('CHANGELOG.md').matchAll(/^## (\S+) \(\d{4}-\d\d-\d\d\)$/gm)].map(
		([, version]) => version,
	);
}

function readText(file) {
	return readFileSync(join(root, file), 'utf8');
}

function runGit(...options) {
	return execFileSync('git', options, { cwd: root, encoding: 'utf8' }).trim();
}
