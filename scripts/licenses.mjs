import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Formats the licenses of all bundled packages as one text. */
export function formatLicenses(root, files) {
	const packages = new Set(files.map(getPackageFolder).filter(Boolean));
	return [...packages]
		.sort()
		.map((folder) => {
			const { name, version, license } = JSON.parse(readText(root, folder, 'package.json'));
			const own = files.filter((file) => getPackageFolder(file) === folder);
			return `# ${name} ${version}\n\n${license}\n\n${getLicenseText(root, folder, own)}\n`;
		})
		.join('\n');
}

/**
 * Returns the text of a package's license file. If there is none, returns the comments at the top of its source files.
 */
function getLicenseText(root, folder, files) {
	const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].find((name) =>
		existsSync(join(root, folder, name)),
	);
	if (file) return readText(root, folder, file).trim();
	const heads = files.map((source) =>
		/^(\/\/.*\n)+/.exec(readText(root, source))?.[0].replace(/^\/\/ ?/gm, ''),
	);
	return [...new Set(heads)].filter(Boolean).join('\n');
}

function getPackageFolder(file) {
	return /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function readText(...path) {
	return readFileSync(join(...path), 'utf8');
}
