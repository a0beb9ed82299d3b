import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readNpmSetting } from '../../tools/npm.mjs';

/**
 * Finds the folder of a Node whose headers are on this computer, so that the driver can be built where they cannot be
 * downloaded. Those of any version do: the driver uses Node-API alone, which does not change.
 */
export function findNodeWithHeaders() {
	const besideNode = dirname(dirname(realpathSync(process.execPath)));
	return [readNpmSetting('nodedir'), besideNode, '/usr/local', '/usr'].find(hasHeaders);
}

function hasHeaders(folder) {
	const headers = join(folder, 'include', 'node');
	return ['node_api.h', 'common.gypi'].every((file) => existsSync(join(headers, file)));
}
