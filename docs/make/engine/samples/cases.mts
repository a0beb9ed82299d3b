import { CASES, type CaseOfNode } from '../../../../test/cases/all.mts';
import { getNode } from '../../../../test/harness/nodes.mts';
import { getChoices } from '../choices.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';

/** Runs the first case of each operation, and returns its output as a sample. All further cases have `about`. */
export async function runCases(world: World): Promise<Sample[]> {
	const samples: Sample[] = [];
	for (const one of CASES) if (!one.about) samples.push(await runCase(world, one));
	return samples;
}

async function runCase({ stage }: World, one: CaseOfNode): Promise<Sample> {
	const { node, shown } = one;
	const parameters = (await one.parameters?.(stage.scene)) ?? {};
	const items = await stage.outputs(node, one, parameters);
	return {
		node,
		part: getPart(one),
		parameters: shown?.given ?? parameters,
		items: items.map((item) => ({ ...item, ...shown?.outcome })),
	};
}

function getPart({ node, resource, operation }: CaseOfNode): string {
	const found = getChoices(getNode(node).description).find(
		({ values }) => values.resource === resource && values.operation === operation,
	);
	if (!found) throw new Error(`${node} has no operation ${resource} ${operation}`);
	return found.part;
}
