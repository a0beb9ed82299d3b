import { loadNodes, names, nodes, Panel, panelsOf } from './support/panels.mts';

beforeAll(loadNodes);

describe.each(names)('the panel of %s', (name) => {
	test('draws what is read for each operation and choice, and nothing else', async () => {
		const panels = panelsOf(name);
		for (const panel of panels) {
			const read = await panel.read();
			const superfluous = panel.drawn.filter((one) => !read.includes(one));
			expect({ ...panel.stored, superfluous }).toEqual({ ...panel.stored, superfluous: [] });
			// A node must not read hidden fields, because their values may be old, unless n8n keeps them.
			const known = [...panel.drawn, ...panel.kept];
			const unseen = read.filter((one) => !known.includes(one));
			expect({ ...panel.stored, unseen }).toEqual({ ...panel.stored, unseen: [] });
		}
	});

	test('offers under each credential those that are asked for there', () => {
		const { credentials = [] } = nodes.get(name)!.description;
		const shown = credentials.map(({ displayOptions }) => Object.keys(displayOptions?.show ?? {}));
		if (!shown.flat().includes('authentication')) return;
		// n8n's editor would take a credential without conditions for a choice of the field Authentication.
		for (const conditions of shown) expect(conditions).not.toEqual([]);
	});

	test('shows every menu in the editor, which hides what a menu follows from that credentials follow from', () => {
		const { credentials = [], properties } = nodes.get(name)!.description;
		const deciding = credentials.flatMap(({ displayOptions }) =>
			Object.keys(displayOptions?.show ?? {}),
		);
		const hidden = properties
			.filter((one) => deciding.includes(one.name))
			.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {}));
		const menus = properties.filter(({ type }) => type !== 'hidden').map((one) => one.name);
		expect(menus.filter((one) => hidden.includes(one))).toEqual([]);
	});

	test('has the methods that its menus and fields call', () => {
		const { description, methods = {} } = nodes.get(name)!;
		const called = description.properties.map(({ typeOptions }) => ({
			loadOptions: typeOptions?.loadOptionsMethod,
			resourceMapping: typeOptions?.resourceMapper?.resourceMapperMethod,
		}));
		for (const { loadOptions, resourceMapping } of called) {
			if (loadOptions !== undefined) expect(methods.loadOptions).toHaveProperty(loadOptions);
			if (resourceMapping !== undefined)
				expect(methods.resourceMapping).toHaveProperty(resourceMapping);
		}
	});

	test.each([
		['', 0],
		['f(uint a)', 0],
		['f(uint a); g()', 1],
		['[{"name":"f"}]', 1],
		['={{ $json.abi }}', 1],
	])('asks beside the function %j for a name %d times', (given, count) => {
		const withFunctions = panelsOf(name).filter(
			({ drawn, stored }) => drawn.includes('argumentsBy') && stored.kind !== 'deployment',
		);
		for (const { node, stored } of withFunctions) {
			const { drawn } = new Panel(node, { ...stored, function: given });
			expect(drawn).toContain('function');
			const canDeclareSeveral = node.description.properties.some(
				(one) => one.name === 'functionName',
			);
			const names = drawn.filter((one) => one === 'functionName');
			expect(names).toHaveLength(canDeclareSeveral ? count : 0);
		}
	});
});
