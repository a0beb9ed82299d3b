import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { keptWorkflows } from '../versions/kept.mts';
import { resultOf, type Node } from './workflows.mts';
import { credential, type CredentialType } from './world.mts';

const folder = join(import.meta.dirname, '..', 'versions');

describe('workflows of older versions', () => {
	for (const [name, { nodes, connections, expected }] of keptWorkflows(folder)) {
		it(`${name} gives what it gave when it was kept`, async () => {
			const own = (nodes as unknown as Node[]).map(withCredential);
			assert.deepEqual(await resultOf({ nodes: own, connections }), expected);
		});
	}
});

/** The demo's credential replaces that of the kept workflow. */
function withCredential(node: Node): Node {
	const types = Object.keys(node.credentials ?? {}) as CredentialType[];
	return {
		...node,
		credentials: Object.fromEntries(types.map((type) => [type, credential(type)])),
	};
}
