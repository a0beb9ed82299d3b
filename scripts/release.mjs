// Makes a release: `npm run release 0.2.0` sets the version of all packages, dates the changelog, notes the n8n that it
// was tested in, commits and tags. Pushing the tag publishes it. `npm run release 0.2.0 -- --dry-run` only says what it would do.
//   node scripts/release.mjs --check v0.2.0    whether the checked-out release is that of the tag
//   node scripts/release.mjs --notes v0.2.0    what the changelog says of it
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { publishedPackages } from './packages.mjs';

const root = join(import.meta.dirname, '..');
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
/** What a line of the changelog may begin with beside the name of a node or credential. */
const OTHERS = ['All nodes', 'Credentials', 'Documentation', 'Examples', 'Packages', 'Triggers'];

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
	if (!VERSION.test(version)) throw new Error('Give a version, such as 0.2.0');
	if (values.check) check(version);
	else if (values.notes) console.log(sectionOf(version).body);
	else release(version, values['dry-run']);
}

function release(version, isDry) {
	checkNew(version);
	const changes = [...versioned(version), dated(version)];
	for (const { file, says } of changes) console.log(`${file}: ${says}`);
	if (isDry) {
		console.log('Nothing was written.');
		return;
	}
	for (const { file, text } of changes) writeFileSync(join(root, file), text);
	const tag = `v${version}`;
	git('commit', '--quiet', '--message', `Release ${version}`, ...changes.map(({ file }) => file));
	git('tag', '--annotate', tag, '--message', `Release ${version}`);
	console.log(`Committed and tagged. To publish it: git push origin HEAD ${tag}`);
}

function checkNew(version) {
	if (git('status', '--porcelain') !== '') throw new Error('Commit or stash your changes first');
	if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} is tagged already`);
	const [last] = releases();
	if (last && !isAfter(version, last)) throw new Error(`${version} must be above ${last}`);
}

function isAfter(version, other) {
	const [ours, theirs] = [version, other].map((one) => one.split('.').map(Number));
	const first = ours.findIndex((number, index) => number !== theirs[index]);
	return first >= 0 && ours[first] > theirs[first];
}

/** The manifest of each package, and the lockfile. */
function versioned(version) {
	const packages = publishedPackages(root);
	const manifests = packages.map(({ folder, manifest }) => {
		const file = join(folder, 'package.json');
		const text = read(file).replace(/^(\s*"version": )"[^"]*"/m, `$1"${version}"`);
		return { file, text, says: `${manifest.name} ${manifest.version} becomes ${version}` };
	});
	const file = 'package-lock.json';
	const lock = JSON.parse(read(file));
	lock.version = version;
	for (const { folder } of packages) lock.packages[folder === '.' ? '' : folder].version = version;
	const text = `${JSON.stringify(lock, null, '\t')}\n`;
	return [...manifests, { file, text, says: `the same for ${packages.length} packages` }];
}

/** The changelog, whose section of what is unreleased becomes that of the version. */
function dated(version) {
	const file = 'CHANGELOG.md';
	const text = read(file);
	const [heading] = /^## .*unreleased.*$/im.exec(text) ?? [];
	if (!heading) throw new Error('CHANGELOG.md has no section that is (unreleased)');
	const { body } = sectionAt(text, heading);
	if (body === '') throw new Error('CHANGELOG.md does not say what is new');
	if (releases().length > 0) checkLines(body);
	const today = new Date().toISOString().slice(0, 10);
	const tested = `Tested in n8n ${testedVersions().join(', every week in ')} and the newest.`;
	return {
		file,
		text: text.replace(heading, () => `## ${version} (${today})\n\n${tested}`),
		says: `"${heading.slice(3)}" becomes "${version} (${today})". ${tested}`,
	};
}

/** The n8n of the lockfile, in which everything is tested, and the oldest one that CI tries. */
function testedVersions() {
	const { dependencies } = JSON.parse(read(join('demo', 'n8n', 'package.json')));
	const [, oldest] = /"latest", "([\d.]+)"/.exec(
		read(join('.github', 'workflows', 'other-n8n.yml')),
	);
	return [dependencies.n8n, oldest];
}

/** Users look for their node: every line begins with what it is about. The first release has none to tell from. */
function checkLines(body) {
	const known = new Set([...OTHERS, ...displayNames()]);
	for (const line of body.split('\n').filter((one) => one.startsWith('- '))) {
		const [, about = ''] = /^- \*\*([^*]+)\*\*: \S/.exec(line) ?? [];
		if (!about.split(', ').every((name) => known.has(name))) {
			throw new Error(
				`CHANGELOG.md: "${line}" must begin with "- **Chain EVM RPC**: ", what it is about: nodes, credentials, or ${OTHERS.join(', ')}`,
			);
		}
	}
}

function displayNames() {
	return publishedPackages(root).flatMap(({ folder, manifest: { n8n } }) =>
		[...n8n.nodes, ...n8n.credentials].map((path) => {
			const source = path.replace('dist/', '').replace(/\.js$/, '.ts');
			return /displayName(?: =|:) '([^']+)'/.exec(read(join(folder, source)))?.[1];
		}),
	);
}

function check(version) {
	for (const { manifest } of publishedPackages(root)) {
		if (manifest.version !== version)
			throw new Error(`${manifest.name} has the version ${manifest.version}, not ${version}`);
	}
	sectionOf(version);
	console.log(`This is ${version}`);
}

function sectionOf(version) {
	const text = read('CHANGELOG.md');
	const heading = text.split('\n').find((line) => line.startsWith(`## ${version} (2`));
	if (!heading) throw new Error(`CHANGELOG.md has no dated section of ${version}`);
	return sectionAt(text, heading);
}

function sectionAt(text, heading) {
	const [, after] = text.split(`${heading}\n`);
	return { heading, body: after.split(/^## /m)[0].trim() };
}

/** The versions that the changelog dates, the latest first. */
function releases() {
	return [...read('CHANGELOG.md').matchAll(/^## (\S+) \(\d{4}-\d\d-\d\d\)$/gm)].map(
		([, version]) => version,
	);
}

function read(file) {
	return readFileSync(join(root, file), 'utf8');
}

function git(...options) {
	return execFileSync('git', options, { cwd: root, encoding: 'utf8' }).trim();
}
