import { configureGlobalAxiosDefaults } from '@n8n/backend-network';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type ExecutionError,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { ChainNodeBasicAuthApi } from '../../credentials/ChainNodeBasicAuthApi.credentials';
import { ChainNodeTokenApi } from '../../credentials/ChainNodeTokenApi.credentials';
import { ChainPlatformApi } from '../../credentials/ChainPlatformApi.credentials';
import { TestCredentials } from './credentials.mts';

export const credentialTypes: readonly ICredentialType[] = [
	new ChainPlatformApi(),
	new ChainNodeTokenApi(),
	new ChainNodeBasicAuthApi(),
];

export interface NodeRun {
	readonly node: INodeType;
	readonly parameters: INodeParameters;
	readonly credentials: Readonly<Record<string, ICredentialDataDecryptedObject>>;
	/** The json of each input item, or whole items. One empty item without it. */
	readonly items?: readonly INodeExecutionData[];
	readonly onError?: INode['onError'];
	/** Stops the execution, as n8n's Stop button does, after so many milliseconds. */
	readonly stopAfter?: number;
}

export interface NodeResult {
	readonly items: readonly INodeExecutionData[];
	/** What leaves by the error branch, when the node has one. */
	readonly errorItems: readonly INodeExecutionData[];
	readonly error?: ExecutionError;
	readonly status: string;
	readonly decryptions: number;
}

/** Runs a node in n8n's own engine, behind a node that gives it its input items. */
export async function runNode(run: NodeRun): Promise<NodeResult> {
	configureGlobalAxiosDefaults();
	const credentials = new TestCredentials(credentialTypes, run.credentials);
	const workflow = workflowFor(run);
	const hooks = new ExecutionLifecycleHooks('manual', '1', { id: '1' } as never);
	const additionalData = {
		credentialsHelper: credentials,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		hooks,
		variables: {},
		webhookWaitingBaseUrl: 'http://localhost/waiting',
		formWaitingBaseUrl: 'http://localhost/form',
	} as unknown as IWorkflowExecuteAdditionalData;
	const execution = new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode(SOURCE) ?? undefined,
	});
	if (run.stopAfter !== undefined) setTimeout(() => execution.cancel(), run.stopAfter);
	const { data, status } = await execution;
	const task = data.resultData.runData[TESTED]?.at(-1);
	const outputs = task?.data?.main ?? [];
	return {
		items: outputs[0] ?? [],
		errorItems: outputs[1] ?? [],
		error: task?.error ?? data.resultData.error,
		status,
		decryptions: credentials.decryptions,
	};
}

const SOURCE = 'Items';
const TESTED = 'Tested';

function workflowFor({ node, parameters, credentials, items, onError }: NodeRun): Workflow {
	const types: Record<string, INodeType> = {
		source: sourceOf(items ?? [{ json: {} }]),
		tested: node,
	};
	return new Workflow({
		id: '1',
		name: 'Test',
		active: false,
		nodeTypes: {
			getByName: (name) => types[name] as INodeType,
			getByNameAndVersion: (name) => types[name] as INodeType,
			getKnownTypes: () => ({}),
		},
		nodes: [
			{ ...placed(SOURCE), type: 'source', parameters: {} },
			{
				...placed(TESTED),
				type: 'tested',
				parameters,
				onError,
				credentials: Object.fromEntries(
					Object.keys(credentials).map((type) => [type, { id: type, name: type }]),
				),
			},
		],
		connections: { [SOURCE]: { main: [[{ node: TESTED, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
}

function placed(name: string): Pick<INode, 'id' | 'name' | 'typeVersion' | 'position'> {
	return { id: name, name, typeVersion: 1, position: [0, 0] };
}

function sourceOf(items: readonly INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: SOURCE,
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
