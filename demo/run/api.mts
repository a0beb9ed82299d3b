import { publication } from './publication.mts';
import { session } from './session.mts';
import { unflatten } from './unflatten.mts';

export interface Workflow {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	connections: object;
	settings?: object;
	/** The ids of its tags. */
	tags?: string[];
}

export interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
}

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
}

export interface NodeRun {
	data?: { main?: Array<Item[] | null> };
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

export interface Listed {
	id: string;
	status: string;
	mode: string;
	startedAt: string;
}

export interface Login {
	email: string;
	password: string;
}

export type Api = ReturnType<typeof n8nApi>;

/** n8n's own REST API, as its editor uses it. */
export function n8nApi(url: string) {
	const { ask, cookie } = session(url);

	async function logIn({ email, password }: Login): Promise<void> {
		const { userManagement } = await ask<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'GET',
			'/settings',
		);
		if (userManagement.showSetupOnFirstLoad) {
			await ask('POST', '/owner/setup', { email, password, firstName: 'Demo', lastName: 'Owner' });
		} else {
			await ask('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** A credential is known by its name and type: what is there already is overwritten. */
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

	/** A workflow is known by its id. */
	async function saveWorkflow(workflow: Workflow & { id: string }): Promise<void> {
		const isKnown = await ask('GET', `/workflows/${workflow.id}`).then(
			() => true,
			() => false,
		);
		const path = isKnown ? `/workflows/${workflow.id}` : '/workflows';
		await ask(isKnown ? 'PATCH' : 'POST', path, workflow);
	}

	/** The id of the tag with this name. */
	async function tag(name: string): Promise<string> {
		const known = await ask<Array<{ id: string; name: string }>>('GET', '/tags');
		const same = known.find((one) => one.name === name);
		return (same ?? (await ask<{ id: string }>('POST', '/tags', { name }))).id;
	}

	/** Starts a workflow at one of its triggers; the answer is the id of the execution. */
	async function runWorkflow(id: string, trigger: string): Promise<string> {
		const { executionId } = await ask<{ executionId: string }>('POST', `/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger },
		});
		return executionId;
	}

	/** The executions of a workflow, newest first. */
	async function executions(workflowId: string): Promise<Listed[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		return (await ask<{ results: Listed[] }>('GET', `/executions?filter=${filter}`)).results;
	}

	async function execution(id: string): Promise<Execution> {
		const found = await ask<Execution & { data: unknown }>('GET', `/executions/${id}`);
		const data = typeof found.data === 'string' ? unflatten(found.data) : found.data;
		return { ...found, data } as Execution;
	}

	/** Every node type that n8n has loaded. It lies beside the API, as a file. */
	async function nodeTypes<T>(): Promise<T[]> {
		const answer = await fetch(`${url}/types/nodes.json`, { headers: { cookie: cookie() } });
		return (await answer.json()) as T[];
	}

	return {
		...{ ask, nodeTypes, logIn, saveCredential, saveWorkflow, tag },
		...{ runWorkflow, executions, execution },
		...publication(ask),
	};
}
