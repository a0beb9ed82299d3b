import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { loadNodes, names, nodes, panelsOf } from './support/panels.mts';

beforeAll(loadNodes);

const NODE = { typeVersion: 1, name: 'Tested' } as INode;

/** Lists all options of all operations. */
const optionsOf = ({ description }: INodeType) =>
	description.properties
		.filter(({ name, type }) => name === 'options' && type === 'collection')
		.flatMap(({ options = [] }) => options as INodeProperties[]);

/**
 * Derives a node's parameters from the stored parameters: with defaults, as for a run, or without, as for the
 * editor.
 */
const derive = ({ description }: INodeType, stored: INodeParameters, withDefaults: boolean) =>
	NodeHelpers.getNodeParameters(
		description.properties,
		stored,
		withDefaults,
		false,
		NODE,
		description,
	)!;

describe.each(names)('%s', (name) => {
	test('runs each operation with all options that a workflow stores, whoever shows them', () => {
		const node = nodes.get(name)!;
		const options = Object.fromEntries(optionsOf(node).map((one) => [one.name, `=${one.name}`]));
		if (Object.keys(options).length === 0) return;
		for (const { stored } of panelsOf(name))
			expect(derive(node, { ...stored, options }, true).options).toEqual(options);
	});

	test('keeps its options while the user looks at another operation', () => {
		const node = nodes.get(name)!;
		const options = Object.fromEntries(optionsOf(node).map((one) => [one.name, `=${one.name}`]));
		if (Object.keys(options).length === 0) return;
		for (const { stored } of panelsOf(name))
			expect(derive(node, { ...stored, options }, false).options).toEqual(options);
	});

	test('stores no options where none are chosen', () => {
		const node = nodes.get(name)!;
		for (const { stored } of panelsOf(name)) {
			const { options: _, ...bare } = stored;
			expect(derive(node, bare, false)).not.toHaveProperty('options');
		}
	});

	test('shows at most one collection of options', () => {
		for (const { drawn } of panelsOf(name))
			expect(drawn.filter((one) => one === 'options').length).toBeLessThanOrEqual(1);
	});
});
