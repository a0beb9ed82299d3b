import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode, IWorkflowBase } from 'n8n-workflow';

/** A workflow as n8n exported it while the version of its node was the newest, and the output of the node at that time. */
type Kept = Pick<IWorkflowBase, 'nodes' | 'connections'> & {
	readonly expected: readonly IDataObject[];
};

/** Each file here, by its name: the node and its version. */
export function keptWorkflows(folder: string): Array<[name: string, workflow: Kept]> {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.map((name) => [
			name.slice(0, -'.json'.length),
			JSON.parse(readFileSync(join(folder, name), 'utf8')) as Kept,
		]);
}

/** The node for which the workflow was kept. */
export function testedNode({ nodes }: Kept): INode {
	const found = nodes.find(({ name }) => name === 'Tested');
	if (!found) throw new Error('No node of the workflow is named "Tested"');
	return found;
}
