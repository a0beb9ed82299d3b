import { TriggersAndPollers, TriggerContext } from 'n8n-core';
import { Container } from '@n8n/di';
import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	IRun,
	ITriggerFunctions,
	ITriggerResponse,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { Database } from './database.mts';
import { createEngine } from './engineServices.mts';
import { TESTED_NAME, buildWorkflow, type TestedNode } from './workflow.mts';

export interface ActiveTrigger {
	/** The data of all executions so far. Each inner list holds the `json` of the items of one execution. */
	readonly executions: IDataObject[][];
	/** The messages that were reported to the user. */
	readonly failures: ExecutionError[];
	/** Returns the static data that n8n would have stored with the last execution. */
	readonly stored: () => IDataObject;
	readonly items: () => IDataObject[];
	/** Waits until the given number of items has arrived. Fails if they do not arrive in time. */
	readonly has: (count: number, patience?: number) => Promise<IDataObject[]>;
	readonly close: () => Promise<void>;
}

interface Activation {
	readonly mode?: WorkflowActivateMode;
	readonly staticData?: IDataObject;
	readonly database?: Database;
}

/** Activates a trigger as n8n does. It fails if the activation fails. */
export async function activateTrigger(
	tested: TestedNode,
	{ mode = 'activate', staticData, database = new Database() }: Activation = {},
): Promise<ActiveTrigger> {
	const { additionalData } = createEngine(tested);
	const workflow = buildWorkflow(tested, { staticData });
	const { executions } = database;
	const failures: ExecutionError[] = [];
	if (staticData) database.save(staticData);
	const node = workflow.getNode(TESTED_NAME);
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
				createEmitter(database, workflow),
				(error) => failures.push(error as ExecutionError),
				(error) => failures.push(error),
			),
		additionalData,
		'trigger',
		mode,
	)) as ITriggerResponse;
	database.save(workflow.staticData);
	const items = () => executions.flat();
	return {
		executions,
		failures,
		items,
		stored: () => database.staticData,
		has: async (count, patience = 60_000) => {
			const deadline = Date.now() + patience;
			while (items().length < count) {
				if (Date.now() > deadline) throw new Error(formatTooFew(count, items(), failures));
				await waitMoment();
			}
			return items();
		},
		close: async () => await response.closeFunction?.(),
	};
}

function formatTooFew(count: number, items: IDataObject[], failures: ExecutionError[]): string {
	const latest = items.slice(-5).map((item) => JSON.stringify(item).slice(0, 200));
	return [
		`${items.length} items came in place of ${count}, the last of them:`,
		...latest,
		'reported failures:',
		...failures.map(({ message }) => message),
	].join('\n');
}

/**
 * Creates n8n's function `emit`. It saves the static data and the execution side by side, and reports the end of the
 * execution.
 */
function createEmitter(database: Database, workflow: Workflow): ITriggerFunctions['emit'] {
	const itemsOf = ([items = []]: INodeExecutionData[][]) => items.map(({ json }) => json);
	if (database.isOld) {
		return (data) => {
			database.save(workflow.staticData);
			database.insert(itemsOf(data)).catch(() => {});
		};
	}
	return (data, _response, done, key) => {
		database.save(workflow.staticData);
		database.insert(itemsOf(data), key).then(
			(isNew) => done?.resolve((isNew ? { status: 'success' } : undefined) as IRun),
			(error: Error) => done?.reject(error),
		);
	};
}

async function waitMoment(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 20));
}
