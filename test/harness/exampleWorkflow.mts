import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IWorkflowSettings,
} from 'n8n-workflow';
import { createEngine } from './engineServices.mts';

/** An example workflow that runs in n8n's engine. Stand-ins replace n8n's own nodes and Chain Signer. */

interface Example {
	readonly name: string;
	readonly nodes: INode[];
	readonly connections: IConnections;
	readonly settings: IWorkflowSettings;
}

type ReadParameter = (name: string) => unknown;

/**
 * Stands in for a node of another package. It gets the parameters and the json of an item, and returns the items of
 * each output.
 */
type Play = (
	parameter: ReadParameter,
	json: IDataObject,
) => readonly IDataObject[][] | Promise<readonly IDataObject[][]>;

interface Stage {
	/** The nodes of this package, by their types in workflows. */
	readonly own: Readonly<Record<string, INodeType>>;
	/**
	 * The credentials by their types. If nodes of the example use different credentials of a type, the key is the name.
	 */
	readonly credentials: Readonly<Record<string, ICredentialDataDecryptedObject>>;
	/** The credential types of other packages that the example uses. */
	readonly credentialTypes?: readonly ICredentialType[];
	/** Stands in for Chain Signer: returns its output for a prepared transaction. */
	sign?(transaction: unknown): IDataObject | Promise<IDataObject>;
	/** The data tables. Two examples that share tables pass the same object here. */
	readonly tables?: Tables;
	/** Returns the answer of a person to the form that the example waits for. */
	answer?(): IDataObject | Promise<IDataObject>;
	/** Changes the rows that a data table node returns. */
	changeRows?(operation: unknown, rows: IDataObject[], parameter: ReadParameter): IDataObject[];
}

/** The response that the caller of the webhook gets. */
interface Response {
	readonly status: unknown;
	readonly body: unknown;
	readonly headers: Readonly<Record<string, unknown>>;
}

interface Condition {
	readonly keyName: string;
	readonly condition: 'eq' | 'neq';
	readonly keyValue: unknown;
}

type Tables = ReturnType<typeof createTables>;

/** Creates data tables without rows. */
export function createTables() {
	const tables = new Map<string, IDataObject[]>();
	const first: IDataObject[] = [];
	return {
		/** The table that the example opens first. */
		first,
		open: (name: unknown): IDataObject[] => {
			const table = tables.get(String(name)) ?? (tables.size === 0 ? first : []);
			tables.set(String(name), table);
			return table;
		},
	};
}

/**
 * Opens an example. Its data tables are empty unless `stage` has tables. The returned functions `run` and `ask` set the
 * values of the node Settings.
 */
export function openExample(file: string, stage: Stage) {
	const path = join(__dirname, '..', '..', 'examples', `${file}.json`);
	const example = JSON.parse(readFileSync(path, 'utf8')) as Example;
	const steps = example.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	const tables = stage.tables ?? createTables();

	/**
	 * Runs the example by hand. Collects the output of each node in `reached`, and returns the error message if the run
	 * failed.
	 */
	async function run(
		settings: IDataObject,
		reached = new Map<string, IDataObject[]>(),
	): Promise<string | undefined> {
		return await runFrom('Run by Hand', settings, createPlays(tables, stage), {}, reached);
	}

	/** Sends a request to the webhook that the example begins with. */
	async function ask(settings: IDataObject, request: IDataObject): Promise<Response> {
		const responses: Response[] = [];
		const webhook = steps.find(({ type }) => type === WEBHOOK);
		const plays = {
			...createPlays(tables, stage),
			[WEBHOOK]: () => [[request]],
			'n8n-nodes-base.respondToWebhook': (parameter: ReadParameter, json: IDataObject) => {
				const [status, body] = ['options.responseCode', 'responseBody'].map(parameter);
				const named = parameter('options.responseHeaders.entries') || [];
				const headers = (named as Array<{ name: string; value: unknown }>).map(
					({ name, value }) => [name, value] as const,
				);
				responses.push({ status, body, headers: Object.fromEntries(headers) });
				return [[json]];
			},
		};
		const failure = await runFrom(webhook?.name ?? '', settings, plays);
		const [response, ...more] = responses;
		if (!response || more.length > 0)
			throw new Error(`${responses.length} responses came, and ${failure ?? 'no error'}`);
		return response;
	}

	/** Runs the example from the named trigger. The given parameters are set in addition to the trigger's own. */
	async function runTrigger(
		name: string,
		parameters: IDataObject,
		settings: IDataObject = {},
	): Promise<string | undefined> {
		return await runFrom(name, settings, createPlays(tables, stage), parameters);
	}

	/**
	 * Runs the example with the given items as the output of its trigger. Returns the output of each node, by its name.
	 */
	async function runItems(name: string, items: readonly IDataObject[]) {
		const type = steps.find((one) => one.name === name)?.type ?? '';
		const plays = { ...createPlays(tables, stage), [type]: () => [[...items]] };
		const reached = new Map<string, IDataObject[]>();
		const failure = await runFrom(name, {}, plays, {}, reached);
		if (failure !== undefined) throw new Error(failure);
		return reached;
	}

	async function runFrom(
		start: string,
		settings: IDataObject,
		plays: Readonly<Record<string, Play>>,
		changed: IDataObject = {},
		reached = new Map<string, IDataObject[]>(),
	): Promise<string | undefined> {
		const types = (name: string) => stage.own[name] ?? playNode(name, plays[name] as Play, steps);
		const assigned = Object.entries(settings).map(([name, value]) => ({ name, value }));
		const parameters = { assignments: { assignments: assigned } } as never;
		const workflow = new Workflow({
			id: '1',
			name: example.name,
			active: false,
			nodes: steps.map((one) => {
				if (one.name === 'Settings') return { ...one, parameters };
				return one.name === start
					? { ...one, parameters: { ...one.parameters, ...(changed as INode['parameters']) } }
					: one;
			}),
			connections: example.connections,
			nodeTypes: { getByName: types, getByNameAndVersion: types, getKnownTypes: () => ({}) },
			settings: example.settings,
		});
		const [node] = Object.values(stage.own) as [INodeType];
		const { credentials, credentialTypes } = stage;
		const { additionalData } = createEngine({
			node,
			parameters: {},
			credentials,
			...(credentialTypes && { credentialTypes }),
		});
		const { data } = await new WorkflowExecute(additionalData, 'manual').run({
			workflow,
			startNode: workflow.getNode(start) ?? undefined,
		});
		for (const [name, runs] of Object.entries(data.resultData.runData)) {
			const items = runs.flatMap(({ data: out }) => out?.main?.flatMap((one) => one ?? []) ?? []);
			reached.set(
				name,
				items.map(({ json }) => json),
			);
		}
		return data.resultData.error?.message;
	}
	return {
		table: tables.first,
		run,
		ask,
		runTrigger,
		runItems,
	};
}

const WEBHOOK = 'n8n-nodes-base.webhook';

function createPlays(
	tables: Tables,
	{ sign, answer, changeRows }: Stage,
): Readonly<Record<string, Play>> {
	/** Returns the rows of a table that meet the conditions of the node. */
	function findRows(parameter: ReadParameter, table: readonly IDataObject[]): IDataObject[] {
		const conditions = parameter('filters.conditions') as Condition[];
		const meets = (row: IDataObject) => (one: Condition) =>
			(row[one.keyName] === one.keyValue) === (one.condition === 'eq');
		return parameter('matchType') === 'anyCondition'
			? table.filter((row) => conditions.some(meets(row)))
			: table.filter((row) => conditions.every(meets(row)));
	}

	function useTable(parameter: ReadParameter, json: IDataObject): IDataObject[] {
		const operation = parameter('operation');
		if (operation === 'create') return [{ name: parameter('tableName') as string }];
		const table = tables.open(parameter('dataTableId.value'));
		if (operation === 'insert') {
			const values = parameter('columns.value') as IDataObject;
			const last = Math.max(0, ...table.map(({ id }) => Number(id)));
			return [table[table.push({ id: last + 1, ...values }) - 1] ?? {}];
		}
		const rows = findRows(parameter, table);
		if (operation === 'rowNotExists') return rows.length > 0 ? [] : [json];
		if (operation === 'get') {
			const column = String(parameter('orderByColumn'));
			const sorted = rows.sort((one, other) => Number(one[column]) - Number(other[column]));
			return sorted.slice(0, Number(parameter('limit') || Infinity));
		}
		if (operation === 'deleteRows') {
			table.splice(0, Infinity, ...table.filter((row) => !rows.includes(row)));
			return rows;
		}
		const values = parameter('columns.value') as IDataObject;
		if (rows.length === 0 && operation === 'upsert') return [table[table.push(values) - 1] ?? {}];
		return rows.map((row) => Object.assign(row, values));
	}

	const seen = new Set<unknown>();
	return {
		'n8n-nodes-base.manualTrigger': () => [[{}]],
		'n8n-nodes-base.wait': async () => [[(await answer?.()) ?? {}]],
		'n8n-nodes-base.noOp': (_, json) => [[json]],
		'n8n-nodes-base.if': (parameter, json) => {
			const conditions = parameter('conditions.conditions') as Array<{ leftValue: boolean }>;
			return conditions.every(({ leftValue }) => leftValue) ? [[json], []] : [[], [json]];
		},
		'n8n-nodes-base.set': (parameter) => {
			const all = parameter('assignments.assignments') as Array<{ name: string; value: never }>;
			return [[Object.fromEntries(all.map(({ name, value }) => [name, value]))]];
		},
		'n8n-nodes-base.removeDuplicates': (parameter, json) => {
			const value = json[String(parameter('fieldsToCompare'))];
			if (seen.has(value)) return [[]];
			seen.add(value);
			return [[json]];
		},
		'n8n-nodes-base.splitOut': (parameter, json) => [
			json[String(parameter('fieldToSplitOut'))] as IDataObject[],
		],
		'n8n-nodes-base.dataTable': (parameter, json) => {
			const rows = useTable(parameter, json);
			return [changeRows?.(parameter('operation'), rows, parameter) ?? rows];
		},
		'n8n-nodes-chain-infra-signer.signer': async (parameter) => [
			[(await sign?.(parameter('transaction'))) ?? {}],
		],
	};
}

const OUTPUTS: Readonly<Record<string, number>> = { 'n8n-nodes-base.if': 2 };

/** Creates a stand-in for a node of another package. The stand-in accepts any parameters. */
function playNode(type: string, play: Play, steps: readonly INode[]): INodeType {
	const names = steps.flatMap((one) => (one.type === type ? Object.keys(one.parameters) : []));
	const outputs = OUTPUTS[type] ?? 1;
	return {
		description: {
			displayName: type,
			name: type,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: Array<'main'>(outputs).fill('main'),
			properties: [...new Set(names)].map((name) => ({
				displayName: name,
				name,
				type: 'json',
				default: '',
			})),
		},
		async execute(this: IExecuteFunctions) {
			const made = Array.from({ length: outputs }, (): INodeExecutionData[] => []);
			for (const [item, { json }] of this.getInputData().entries()) {
				const parameter = (name: string) => this.getNodeParameter(name, item, '');
				for (const [output, found] of (await play(parameter, json)).entries())
					made[output]?.push(...found.map((one) => ({ json: { ...one }, pairedItem: { item } })));
			}
			return made;
		},
	};
}
