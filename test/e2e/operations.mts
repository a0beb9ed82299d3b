import { before, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';
import { CASES, nameOf, type CaseOfNode } from '../cases/all.mts';
import type { Access } from '../cases/case.mts';
import { isQueue, isBasics } from './folder.mts';
import { buildScene, giveNameRecord } from './scene.mts';
import { line, node, ours, resultOf, set, type Node } from './workflows.mts';

/** The cases to run. The basic checks and the queue tests run only the first case of each node. */
const chosen = CASES.filter(({ isFirst }) => isFirst || !(isBasics || isQueue));

describe('operations', () => {
	before(giveNameRecord);

	for (const one of chosen) {
		for (const access of accessesOf(one)) {
			it(`${nameOf(one)}, by ${access}`, async () => await runCase(one, access));
		}
	}
});

/** Returns the credentials to try. The first case of a node runs with all of them, the other cases with one. */
function accessesOf({ accesses, isFirst }: CaseOfNode): readonly Access[] {
	return isFirst ? accesses : accesses.slice(0, 1);
}

async function runCase(one: CaseOfNode, access: Access): Promise<void> {
	const { resource, operation } = one;
	const scene = await buildScene(access);
	const parameters = await one.parameters?.(scene);
	const tested = ours(one.node, access, { resource, operation, ...parameters });
	const items = await resultOf<IDataObject>(line(...nodesBefore(one), tested));
	await one.check(items, scene);
}

/** Builds the nodes that create the file of the input item. */
function nodesBefore({ file }: CaseOfNode): Node[] {
	if (!file) return [];
	const parameters = {
		operation: 'toText',
		sourceProperty: 'text',
		options: { fileName: file.name },
	};
	const type = 'n8n-nodes-base.convertToFile';
	return [
		set('Text', { text: file.text }),
		node('Make File', type, parameters, { typeVersion: 1.1 }),
	];
}
