import { TriggersAndPollers, TriggerContext } from 'n8n-core';
import { Container } from '@n8n/di';
import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	IRun,
	ITriggerFunctions,
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
	/** Runs an execution: it fails where n8n could not store it. Without, n8n does not tell what becomes of them. */
	readonly execute?: (items: readonly IDataObject[], key: string) => Promise<void>;
}

/** Activates a trigger as n8n does; it fails as the activation would. */
export async function activate(
	tested: TestedNode,
	{ mode = 'activate', staticData, execute }: Activation = {},
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
	// Its four parameters show that it tells.
	const emitAndTell: ITriggerFunctions['emit'] = (data, _response, done, key) => {
		const items = data[0]?.map(({ json }) => json) ?? [];
		void execute?.(items, String(key)).then(() => {
			emit(data);
			done?.resolve({} as IRun);
		}, done?.reject);
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
				execute ? emitAndTell : emit,
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
