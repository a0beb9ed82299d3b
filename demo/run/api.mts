import { isN8n1 } from '../../tools/paths.mjs';
import { UserError } from '../../tools/userError.mjs';
import { createPublication } from './publication.mts';
import { N8nRefusal, createSession } from './session.mts';
import { decodeFlattened } from './unflatten.mts';

export interface Workflow {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: object;
	settings?: object;
	pinData?: object;
	/** The ids of the tags that the workflow has. */
	tags?: string[];
}

export interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
}

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
}

type Outputs = Array<Item[] | null>;

interface NodeRun {
	/** The output of the run. A node that serves as a tool fills `ai_tool`. */
	data?: { main?: Outputs; ai_tool?: Outputs };
	error?: { message: string; description?: string };
}

export interface Execution {
	id: string;
	status: string;
	data: {
		resultData: {
			runData: Record<string, NodeRun[]>;
			error?: { message: string; description?: string; node?: { name: string } };
		};
	};
}

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	startedAt: string;
}

export interface Login {
	email: string;
	password: string;
}

export type Api = ReturnType<typeof createN8nApi>;

/** Creates a client for n8n's internal REST API, which the editor uses. */
export function createN8nApi(url: string) {
	const { ask, request } = createSession(url);

	async function logIn({ email, password }: Login): Promise<void> {
		const { userManagement } = await ask<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'GET',
			'/settings',
		);
		if (userManagement.showSetupOnFirstLoad) {
			await ask('POST', '/owner/setup', { email, password, firstName: 'Demo', lastName: 'Owner' });
		} else {
			await ask('POST', '/login', { emailOrLdapLoginId: email, password }).catch((error) => {
				throw hasStatus(error, 401) ? new UserError(formatLoginRefused(email, password)) : error;
			});
		}
	}

	/** Saves a credential. A credential with the same name and type is overwritten. */
	async function saveCredential(name: string, type: string, data: object): Promise<string> {
		const known = await ask<Array<{ id: string; name: string; type: string }>>(
			'GET',
			'/credentials',
		);
		const same = known.find((one) => one.name === name && one.type === type);
		const path = same ? `/credentials/${same.id}` : '/credentials';
		const { id } = await ask<{ id: string }>(same ? 'PATCH' : 'POST', path, { name, type, data });
		return id;
	}

	async function createWorkflow(workflow: object): Promise<string> {
		const whole = { active: false, ...PINS_NOTHING, ...workflow };
		const { id } = await ask<{ id: string }>('POST', '/workflows', whole);
		return id;
	}

	/**
	 * Saves a workflow. An existing workflow is found by its id, but in n8n 1 by its name, because n8n 1 assigns other
	 * ids.
	 */
	async function saveWorkflow(workflow: Workflow & { id: string }): Promise<string> {
		const id = isN8n1 ? await idOf(workflow.name) : workflow.id;
		if (!(await hasWorkflow(id))) return await createWorkflow(workflow);
		await ask('PATCH', `/workflows/${id}`, { ...PINS_NOTHING, ...workflow, id });
		return id;
	}

	async function hasWorkflow(id: string): Promise<boolean> {
		try {
			await ask('GET', `/workflows/${id}`);
			return true;
		} catch (error) {
			if (hasStatus(error, 404)) return false;
			throw error;
		}
	}

	async function idOf(name: string): Promise<string> {
		const all = await ask<Array<{ id: string; name: string }>>('GET', '/workflows');
		return all.find((one) => one.name === name)?.id ?? 'unknown';
	}

	const tagIds = new Map<string, Promise<string>>();

	/** Returns the id of a tag by its name. A missing tag is created. */
	async function tag(name: string): Promise<string> {
		const id = tagIds.get(name) ?? findOrMakeTag(name);
		tagIds.set(name, id);
		return await id;
	}

	async function findOrMakeTag(name: string): Promise<string> {
		const known = await ask<Array<{ id: string; name: string }>>('GET', '/tags');
		const same = known.find((one) => one.name === name);
		return (same ?? (await ask<{ id: string }>('POST', '/tags', { name }))).id;
	}

	/** Starts a workflow at the named trigger. Returns the id of the execution. */
	async function runWorkflow(id: string, trigger: string, more: object = {}): Promise<string> {
		const { executionId } = await ask<{ executionId: string }>('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger },
			...more,
			...(isN8n1 && { workflowData: await ask('GET', `/workflows/${id}`) }),
		});
		return executionId;
	}

	/** Lists the executions of a workflow, the newest first. n8n limits the length of the list. */
	async function executions(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		return (
			await ask<{ results: ExecutionSummary[] }>('GET', `/executions?limit=100&filter=${filter}`)
		).results;
	}

	async function execution(id: string): Promise<Execution> {
		const found = await ask<Execution & { data: unknown }>('GET', `/executions/${id}`);
		const data = typeof found.data === 'string' ? decodeFlattened(found.data) : found.data;
		return { ...found, data } as Execution;
	}

	/** Reads the types of all nodes or credentials that n8n has loaded. n8n serves them as files outside its API. */
	async function types<T>(kind: 'nodes' | 'credentials'): Promise<T[]> {
		return await request('GET', `/types/${kind}.json`);
	}

	return {
		ask,
		types,
		logIn,
		saveCredential,
		createWorkflow,
		saveWorkflow,
		tag,
		runWorkflow,
		executions,
		execution,
		...createPublication(ask),
	};
}

/**
 * The empty field for pinned data. Without it, n8n stores null, and its editor fails at the second execution of a node.
 */
const PINS_NOTHING = { pinData: {} };

function hasStatus(error: unknown, status: number): boolean {
	return error instanceof N8nRefusal && error.status === status;
}

function formatLoginRefused(email: string, password: string): string {
	return `n8n refuses the login ${email} with the password ${password}. If you changed the login or the password, npm run reset deletes all data of the demo, and the next start makes the login again.`;
}
