import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getChoices } from '../../../docs/make/engine/choices.mts';
import { CASES, nameOf, NODE_CASES } from '../../cases/all.mts';
import { NODES } from '../../harness/nodes.mts';
import { findSchema } from '../../harness/outputSchema.mts';

const root = join(__dirname, '..', '..', '..');

/** The first test case of each operation. Further cases of an operation have the key `about`. */
const firsts = CASES.filter(({ about }) => about === undefined);

const actions = NODES.map(({ description }) => description).filter(
	({ group }) => !group.includes('trigger'),
);

test('every action node has cases', () => {
	expect(NODE_CASES.map(({ node }) => node).sort()).toEqual(actions.map(({ name }) => name).sort());
});

test('every trigger has a schema for all its events', () => {
	const triggers = NODES.map(({ description }) => description).filter(
		(one) => !actions.includes(one),
	);
	const missing = triggers.filter(({ name: node }) => !existsSync(findSchema({ node })));
	expect(missing.map(({ name }) => name)).toEqual([]);
	expect(triggers.length).toBeGreaterThan(0);
});

describe.each(actions.map((description) => [description.name, description] as const))(
	'of %s',
	(name, description) => {
		const choices = getChoices(description);
		const cases = firsts.filter(({ node }) => node === name);

		test('every operation has one case that is its example', () => {
			const offered = choices.map(({ values }) => `${values.resource} ${values.operation}`);
			const known = cases.map(({ resource, operation }) => `${resource} ${operation}`);
			expect(known.sort()).toEqual(offered.sort());
		});

		test('every operation has a schema, or its case says why none can be', () => {
			const wrong = cases.filter(
				(one) => existsSync(findSchema(one)) !== (one.noSchema === undefined),
			);
			expect(wrong.map(nameOf)).toEqual([]);
		});

		test('every operation has the markers of its sample', () => {
			const page = readFileSync(join(root, 'docs', 'nodes', `${name}.md`), 'utf8');
			const missing = choices.filter(({ part }) => !page.includes(`<!-- made: ${part} -->`));
			expect(missing.map(({ part }) => part)).toEqual([]);
		});
	},
);
