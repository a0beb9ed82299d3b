import { Readable } from 'node:stream';
import {
	isExpression,
	NodeHelpers,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';
import grpcManifest from '../../../grpc/package.json';
import manifest from '../../../package.json';
import signerManifest from '../../../signer/package.json';
import { ACCOUNT_PRIVATE_KEY } from '../../harness/accountKey.mts';

const packages = [
	['..', manifest],
	['../grpc', grpcManifest],
	['../signer', signerManifest],
] as const;

export const nodes = new Map<string, INodeType>();
export const names = packages
	.flatMap(([, { n8n }]) => n8n.nodes)
	.map((path) => path.split('/')[2]!)
	.filter((name) => !name.endsWith('Trigger'));

/** Makes an instance of each node. */
export async function loadNodes(): Promise<void> {
	for (const [folder, { n8n }] of packages) {
		for (const path of n8n.nodes) {
			const source = path.replace('dist', `../../${folder}`).replace(/\.js$/, '');
			const [node] = Object.values<new () => INodeType>(await import(source));
			nodes.set(path.split('/')[2]!, new node!());
		}
	}
}

interface Outcome {
	readonly read: string[];
	/** The error that the node ended with. */
	readonly failure: Error | undefined;
}

/** Menus that are always shown. n8n itself shows the menu Authentication. */
const ALWAYS = ['authentication', 'resource', 'operation'];
const NODE = { typeVersion: 1, name: 'Tested' } as INode;

/**
 * The form of a node in n8n's editor, for an operation and the choices in its menus. It knows the visible fields and
 * the fields that the node reads.
 */
export class Panel {
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

	/** The names of the visible fields. */
	get drawn(): string[] {
		return this.fields.map(({ name }) => name);
	}

	/** The names of hidden fields whose stored values n8n keeps. */
	get kept(): string[] {
		return this.properties
			.filter(
				(one) =>
					one.type === 'hidden' &&
					NodeHelpers.displayParameter(this.values, one, NODE, this.node.description),
			)
			.map(({ name }) => name);
	}

	/** Returns a form for each choice in the menus on which other fields depend, recursively. */
	withChoices(): Panel[] {
		const conditions = this.properties.flatMap(({ displayOptions }) =>
			Object.keys({ ...displayOptions?.show, ...displayOptions?.hide }),
		);
		const open = this.fields.find(
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

	/** Runs the node with a value in every required field, and returns the parameters that it reads. */
	async read(): Promise<string[]> {
		return (await this.run(fillRequired)).read;
	}

	/** Runs the node with the filled-in values. The service refuses all requests. */
	async run(fill: (property: INodeProperties) => unknown): Promise<Outcome> {
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
				const one = this.fields.find((shown) => shown.name === name);
				const filled = one && !(name in this.stored) ? fill(one) : undefined;
				return filled ?? NodeHelpers.getParameterValueByPath(this.values, name, '') ?? fallback;
			},
			helpers: { httpRequest: refused, httpRequestWithAuthentication: refused },
		} as unknown as IExecuteFunctions;
		const failure = await this.node.execute!.call(context).then(
			() => undefined,
			(error: Error) => error,
		);
		return { read: [...known].filter((name) => !ALWAYS.includes(name)), failure };
	}

	/** The visible fields, without the menus that are always shown. */
	get fields(): INodeProperties[] {
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
	accountPrivateKey: ACCOUNT_PRIVATE_KEY,
	secret: '1'.repeat(64),
};

/** Refuses a request with an error that is never retried. */
async function refused({ encoding }: { encoding?: string }) {
	const body = encoding === 'stream' ? Readable.from(['{}']) : '{}';
	return await Promise.resolve({ statusCode: 403, headers: {}, body });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

/**
 * Tells whether a default counts as an empty value. An expression counts too, because it gives nothing without input
 * items.
 */
export function isUnfilled(usual: unknown): boolean {
	return usual === '' || isExpression(usual) || (isObject(usual) && usual.value === '');
}

/** Fills a required field with its placeholder, or with a complete sample if the placeholder is shortened. */
function fillRequired(property: INodeProperties): string | undefined {
	const { name, placeholder, modes, required, default: usual } = property;
	if (!isUnfilled(usual) || !(required || name in SAMPLES)) return undefined;
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
	authorization: JSON.stringify({
		from: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
		to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
		value: '1',
		validAfter: '0',
		validBefore: '1',
		nonce: `0x${'1'.repeat(64)}`,
	}),
	paymentRequired: '{"x402Version":1,"accepts":[{}]}',
	descriptorSet: 'CpABChNnb29nbGUv',
	signedMessage:
		'te6cckEBAQEAcgAA34gBLwpkMRd53OQAFrBYsIgDx4Etlh5MqqMqnNfC5h9qAcgASEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISU1NGL/////4AAAAOAT4caj8',
	signedTransaction: `0x02${'f8'.repeat(100)}`,
};

/** Lists a form for each operation of a node and each choice in its menus. */
export function panelsOf(name: string): Panel[] {
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
