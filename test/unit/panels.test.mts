import {
	NodeHelpers,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';
import grpcManifest from '../../grpc/package.json';
import manifest from '../../package.json';
import signerManifest from '../../signer/package.json';

/** Lists the fields that a node's panel shows, and those that it reads, for each operation and each of its choices. */
const packages = [
	['..', manifest],
	['../grpc', grpcManifest],
	['../signer', signerManifest],
] as const;

const nodes = new Map<string, INodeType>();
const names = packages
	.flatMap(([, { n8n }]) => n8n.nodes)
	.map((path) => path.split('/')[2]!)
	.filter((name) => !name.endsWith('Trigger'));

beforeAll(async () => {
	for (const [folder, { n8n }] of packages) {
		for (const path of n8n.nodes) {
			const source = path.replace('dist', `../${folder}`).replace(/\.js$/, '');
			const [node] = Object.values<new () => INodeType>(await import(source));
			nodes.set(path.split('/')[2]!, new node!());
		}
	}
});

/** Menus that are always present; n8n itself shows that of credentials. */
const ALWAYS = ['authentication', 'resource', 'operation'];
const NODE = { typeVersion: 1, name: 'Tested' } as INode;

class Panel {
	private readonly properties: readonly INodeProperties[];
	private readonly values: INodeParameters;

	constructor(
		readonly node: INodeType,
		readonly stored: INodeParameters,
	) {
		const { description } = node;
		this.properties = description.properties;
		const all = [...this.properties];
		this.values = NodeHelpers.getNodeParameters(all, stored, true, false, NODE, description)!;
	}

	/** The visible fields, without the menus that are always present. */
	get drawn(): string[] {
		return this.shown().map(({ name }) => name);
	}

	/** Returns this panel with each choice of the menus on which other fields depend, recursively. */
	withChoices(): Panel[] {
		const conditions = this.properties.flatMap(({ displayOptions }) =>
			Object.keys({ ...displayOptions?.show, ...displayOptions?.hide }),
		);
		const open = this.shown().find(
			({ name, type, options }) =>
				conditions.includes(name) &&
				!(name in this.stored) &&
				(type === 'boolean' || (type === 'options' && options?.length)),
		);
		if (!open) return [this];
		const choices =
			open.type === 'boolean'
				? [true, false]
				: (open.options as INodePropertyOptions[]).map(({ value }) => value);
		return choices.flatMap((choice) =>
			new Panel(this.node, { ...this.stored, [open.name]: choice }).withChoices(),
		);
	}

	/** Returns the parameters that the node reads when every required field has a value. */
	async read(): Promise<string[]> {
		const known = new Set<string>();
		const context = {
			getNode: () => NODE,
			getInputData: () => [{ json: {} }],
			continueOnFail: () => false,
			getExecutionCancelSignal: () => undefined,
			getWorkflowDataProxy: () => ({ $json: undefined }),
			getCredentialsProperties: () => [],
			getCredentials: async () => await Promise.resolve(CREDENTIAL),
			getTimezone: () => 'UTC',
			getWorkflow: () => ({}),
			getNodeParameter: (name: string, _item: number, fallback: unknown) => {
				known.add(name);
				const one = this.shown().find((shown) => shown.name === name);
				const value: unknown = NodeHelpers.getParameterValueByPath(this.values, name, '');
				const isEmpty = value === '' || (isObject(value) && value.value === '');
				const isNeeded = one?.required || name in SAMPLES;
				return isEmpty && isNeeded && one ? filledIn(one) : (value ?? fallback);
			},
			helpers: { httpRequest: refused, httpRequestWithAuthentication: refused },
		} as unknown as IExecuteFunctions;
		await this.node.execute!.call(context).catch(() => {});
		return [...known].filter((name) => !ALWAYS.includes(name));
	}

	private shown(): INodeProperties[] {
		return this.properties.filter(
			(one) =>
				one.type !== 'hidden' &&
				!ALWAYS.includes(one.name) &&
				NodeHelpers.displayParameter(this.values, one, NODE, this.node.description),
		);
	}
}

const CREDENTIAL = {
	nodeUrl: 'http://127.0.0.1:1',
	baseUrl: 'http://127.0.0.1:1',
	authToken: 'a-token',
	apiKey: 'a-key',
	endpoint: '127.0.0.1:1',
	xToken: 'a-token',
	tls: false,
	privateKey: `0x0${'1'.repeat(63)}`,
	accountAddress: '0x1',
	secret: '1'.repeat(64),
};

/** An error that is not retried. */
async function refused() {
	return await Promise.resolve({ statusCode: 403, headers: {}, body: '{}' });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

/** Returns the placeholder's value, completed where the placeholder is shortened. */
function filledIn({ name, placeholder, modes }: INodeProperties): string {
	const shown = placeholder ?? modes?.at(-1)?.placeholder ?? '';
	return (
		SAMPLES[name] ??
		shown
			.replace(/^e\.g\. /, '')
			.split(' or ')[0]!
			.replace('…', '')
	);
}

const SAMPLES: Readonly<Record<string, string>> = {
	descriptorSet: 'CpABChNnb29nbGUv',
	cid: 'bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64',
	signedMessage:
		'te6cckEBAQEAcgAA34gBLwpkMRd53OQAFrBYsIgDx4Etlh5MqqMqnNfC5h9qAcgASEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISU1NGL/////4AAAAOAT4caj8',
	signedTransaction: `0x02${'f8'.repeat(100)}`,
};

/** Lists the panels of each operation with each of its choices. */
function panelsOf(name: string): Panel[] {
	const node = nodes.get(name)!;
	const menus = node.description.properties.filter((one) => one.name === 'operation');
	return menus.flatMap(({ options = [], displayOptions }) =>
		(options as INodePropertyOptions[]).flatMap(({ value }) =>
			new Panel(node, {
				resource: displayOptions?.show?.resource?.[0] as string,
				operation: value,
				options: { maxRetries: 0 },
			}).withChoices(),
		),
	);
}

describe.each(names)('the panel of %s', (name) => {
	test('draws what is read for each operation and choice, and nothing else', async () => {
		const panels = panelsOf(name);
		for (const panel of panels) {
			const read = await panel.read();
			const superfluous = panel.drawn.filter((one) => !read.includes(one));
			expect({ ...panel.stored, superfluous }).toEqual({ ...panel.stored, superfluous: [] });
			// Hidden values may be stale.
			const unseen = read.filter((one) => !panel.drawn.includes(one));
			expect({ ...panel.stored, unseen }).toEqual({ ...panel.stored, unseen: [] });
		}
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

	test('has a menu of functions wherever one is asked for, whatever is declared', () => {
		const withFunctions = panelsOf(name).filter(
			({ drawn, stored }) => drawn.includes('argumentsBy') && stored.kind !== 'deployment',
		);
		for (const { node, stored } of withFunctions) {
			const menus = node.description.properties
				.filter(({ typeOptions }) => typeOptions?.loadOptionsMethod !== undefined)
				.map((one) => one.name);
			for (const given of [
				'',
				'f(uint a)',
				'f(uint a); g()',
				'[{"name":"f"}]',
				'={{ $json.abi }}',
			]) {
				const { drawn } = new Panel(node, { ...stored, function: given });
				expect(drawn.filter((one) => menus.includes(one))).toHaveLength(1);
			}
		}
	});
});
