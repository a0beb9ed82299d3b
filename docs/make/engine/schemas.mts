import { join, relative } from 'node:path';
import { CASES } from '../../../test/cases/all.mts';
import { fileSchemaOf, findSchema } from '../../../test/harness/outputSchema.mts';
import { getNode } from '../../../test/harness/nodes.mts';
import { getChoices } from './choices.mts';
import type { Sample } from './sample.mts';

const root = join(__dirname, '..', '..', '..');

/**
 * Makes the output schemas of triggers (one for all events) and of gRPC. `npm run schemas` makes those of all other
 * operations.
 */
export function makeSchemas(samples: readonly Sample[]): Record<string, unknown> {
	const items = new Map<string, unknown[]>();
	for (const sample of samples) {
		const file = findFile(sample);
		if (file !== undefined) items.set(file, [...(items.get(file) ?? []), ...sample.items]);
	}
	return Object.fromEntries([...items].map(([file, all]) => [file, fileSchemaOf(all)]));
}

function findFile({ node, part }: Sample): string | undefined {
	const { description } = getNode(node);
	if (description.group.includes('trigger')) return relative(root, findSchema({ node }));
	if (node !== 'grpc') return undefined;
	const { values } = getChoices(description).find((choice) => choice.part === part) ?? {};
	const own = CASES.find((one) => one.node === node && one.operation === values?.operation);
	return own && own.noSchema === undefined ? relative(root, findSchema(own)) : undefined;
}
