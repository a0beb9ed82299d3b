import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readNpmSetting } from '../../tools/npm.mjs';

/**
 * Finds a Node installation with headers on this computer, so that the database driver can be built without downloading
 * them.
 * Headers of any version work, because the driver uses only Node-API, which is stable.
 */
export function findNodeWithHeaders() {
	const besideNode = dirname(dirname(realpathSync(process.execPath)));
	return [readNpmSetting('nodedir'), besideNode, '/usr/local', '/usr'].find(hasHeaders);
}

function hasHeaders(folder) {
	const headers = join(folder, 'include', 'node');
	return ['node_api.h', 'common.gypi'].every((file) => existsSync(join(headers, file)));
}
