import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Finds the folder of a Node whose headers are on this computer, so that the driver can be built where they cannot be
 * downloaded. Those of any version do: the driver uses Node-API alone, which does not change.
 */
export function findNodeWithHeaders(npm = 'npm') {
	const besideNode = dirname(dirname(realpathSync(process.execPath)));
	return [readNodeDir(npm), besideNode, '/usr/local', '/usr'].find(hasHeaders);
}

function hasHeaders(folder) {
	const headers = join(folder, 'include', 'node');
	return ['node_api.h', 'common.gypi'].every((file) => existsSync(join(headers, file)));
}

/** Reads npm's setting for node-gyp. */
function readNodeDir(npm) {
	const isWindows = process.platform === 'win32';
	return execFileSync(npm, ['config', 'get', 'nodedir'], {
		encoding: 'utf8',
		shell: isWindows,
	}).trim();
}
