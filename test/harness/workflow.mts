import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

/** The tested node with its parameters and credentials, from which a workflow is built. */
export interface TestedNode {
	readonly node: INodeType;
	readonly parameters: INodeParameters;
	readonly credentials: Readonly<Record<string, ICredentialDataDecryptedObject>>;
	/** The types of credentials that belong to another package. */
	readonly credentialTypes?: readonly ICredentialType[];
	readonly onError?: INode['onError'];
	/** The time zone of the workflow. By default, it is n8n's own. */
	readonly timezone?: string;
}

interface WorkflowSettings {
	/** The items that a node before the tested node passes on. Without them, the tested node begins the workflow. */
	readonly items?: readonly INodeExecutionData[];
	/** The static data that an earlier activation of the workflow has left. */
	readonly staticData?: IDataObject;
}

export const SOURCE_NAME = 'Items';
export const TESTED_NAME = 'Tested';

/** Builds a workflow with one tested node. */
export function buildWorkflow(
	tested: TestedNode,
	{ items, staticData }: WorkflowSettings = {},
): Workflow {
	const types: Record<string, INodeType> = {
		source: createSourceNode(items ?? []),
		tested: tested.node,
	};
	const source = { ...buildPosition(SOURCE_NAME), type: 'source', parameters: {} };
	return new Workflow({
		id: '1',
		name: 'Test',
		active: false,
		nodeTypes: {
			getByName: (name) => types[name] as INodeType,
			getByNameAndVersion: (name) => types[name] as INodeType,
			getKnownTypes: () => ({}),
		},
		nodes: [...(items ? [source] : []), buildNode(tested)],
		connections: items
			? { [SOURCE_NAME]: { main: [[{ node: TESTED_NAME, type: 'main', index: 0 }]] } }
			: {},
		settings: { executionOrder: 'v1', timezone: tested.timezone },
		staticData,
	});
}

function buildNode({ parameters, credentials, onError }: TestedNode): INode {
	return {
		...buildPosition(TESTED_NAME),
		type: 'tested',
		parameters,
		onError,
		credentials: Object.fromEntries(
			Object.keys(credentials).map((type) => [type, { id: type, name: type }]),
		),
	};
}

function buildPosition(name: string): Pick<INode, 'id' | 'name' | 'typeVersion' | 'position'> {
	return { id: name, name, typeVersion: 1, position: [0, 0] };
}

function createSourceNode(items: readonly INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: SOURCE_NAME,
			name: 'source',
			group: ['trigger'],
			version: 1,
			description: 'Gives the items of the test',
			defaults: {},
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => [items.map((item) => ({ ...item }))],
	};
}
