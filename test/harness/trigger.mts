import { TriggersAndPollers, TriggerContext } from 'n8n-core';
import { Container } from '@n8n/di';
import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	ITriggerResponse,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { engineFor, TESTED, workflowOf, type TestedNode } from './workflow.mts';

export interface ActiveTrigger {
	/** The json of every item so far, those of one execution together. */
	readonly executions: IDataObject[][];
	/** What was reported to the user, in words. */
	readonly failures: ExecutionError[];
	/** What n8n would have stored with the last execution. */
	readonly stored: () => IDataObject;
	readonly items: () => IDataObject[];
	/** Waits until so many items have come. */
	readonly has: (count: number, patience?: number) => Promise<IDataObject[]>;
	readonly close: () => Promise<void>;
}

interface Activation {
	readonly mode?: WorkflowActivateMode;
	readonly staticData?: IDataObject;
}

/** Activates a trigger as n8n does; it fails as the activation would. */
export async function activate(
	tested: TestedNode,
	{ mode = 'activate', staticData }: Activation = {},
): Promise<ActiveTrigger> {
	const { additionalData } = engineFor(tested);
	const workflow = workflowOf(tested, { staticData });
	const executions: IDataObject[][] = [];
	const failures: ExecutionError[] = [];
	let stored: IDataObject = staticData ?? {};
	const store = () => (stored = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject);
	const emit = ([items = []]: INodeExecutionData[][]) => {
		store();
		executions.push(items.map(({ json }) => json));
	};
	const node = workflow.getNode(TESTED);
	if (!node) throw new Error('The workflow has no node');
	const response = (await Container.get(TriggersAndPollers).runTriggerFunction(
		workflow,
		node,
		() =>
			new TriggerContext(
				workflow,
				node,
				additionalData,
				'trigger',
				mode,
				emit,
				(error) => failures.push(error as ExecutionError),
				(error) => failures.push(error),
			),
		additionalData,
		'trigger',
		mode,
	)) as ITriggerResponse;
	store();
	const items = () => executions.flat();
	return {
		executions,
		failures,
		items,
		stored: () => stored,
		has: async (count, patience = 60_000) => {
			const deadline = Date.now() + patience;
			while (items().length < count && Date.now() < deadline) await moment();
			return items();
		},
		close: async () => await response.closeFunction?.(),
	};
}

async function moment(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 20));
}
