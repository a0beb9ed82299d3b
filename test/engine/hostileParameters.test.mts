import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { CASES, nameOf, type CaseOfNode } from '../cases/all.mts';
import { FILE, startStage, type Stage } from '../cases/stage.mts';
import { buildHostileForms, StolenValues } from '../harness/hostile.mts';
import { getNode } from '../harness/nodes.mts';
import { inspectAll } from '../harness/spellings.mts';
import { describeByEngine } from '../harness/vmEngine.mts';
import { TRIES_ALL, takeRows } from '../harness/caseCount.mts';

/**
 * Every parameter of every operation gets hostile values, with methods, getters and proxy traps. The engine `legacy`
 * passes such values unchanged. The engine `vm` passes copies.
 */
let stage: Stage;
let secrets: readonly string[];

/** Only the operations of the main package are tested here: the other packages have tests of their own. */
const attacked = CASES.filter(({ node }) => !['grpc', 'signer'].includes(node));

beforeAll(async () => {
	stage = await startStage();
	const { token, platform } = stage.sandbox.credentials;
	secrets = [token.chainNodeTokenApi.authToken, platform.chainPlatformApi.apiKey].map(String);
});
afterAll(async () => await stage.stop());

const titled = attacked.map((one) => [nameOf(one), one] as const);

/** The engine `vm` passes only copies of values, so one operation of each node is enough for it. */
const onePerNode = titled.filter(([, { isFirst }]) => isFirst);

describeByEngine((engine) => {
	const tried = new Set<INodeProperties>();
	test.each(engine === 'vm' ? takeRows(onePerNode, 4) : takeRows(titled, 20))(
		'%s hands nothing to a value that it is given',
		async (_, one) => {
			// Each case makes its own transfers, because a search for a signed transfer would find the transfer of another
			// case.
			const given = (await one.parameters?.(stage.scene)) ?? {};
			for (const field of listFields(one)) {
				// A field that several operations share is attacked only once. The command `.ci/run all` attacks it in each
				// operation.
				if (tried.has(field) && !TRIES_ALL) continue;
				tried.add(field);
				await attack(one, given, field);
			}
		},
	);
});

/** Lists the fields of the node that n8n would read for the case. */
function listFields({ resource, operation, node }: CaseOfNode): readonly INodeProperties[] {
	const { properties } = getNode(node).description;
	return properties.filter(({ name, displayOptions: { show = {} } = {} }) => {
		const { resource: resources = [resource], operation: operations = [operation] } = show;
		return name !== 'resource' && resources.includes(resource) && operations.includes(operation);
	});
}

async function attack(
	{ node, resource, operation }: CaseOfNode,
	given: INodeParameters,
	field: INodeProperties,
): Promise<void> {
	const { name, default: usual } = field;
	const loot = new StolenValues();
	const forms = Object.values(buildHostileForms(given[name] ?? usual ?? '1', loot));
	const items = forms.map((hostile) => ({ json: { hostile } as never, binary: FILE }));
	const run = stage.run(
		node,
		{
			resource,
			operation,
			...given,
			waitFor: '1',
			options: { timeout: 2000, maxRetries: 0, ...(given.options as object) },
			[name]: '={{ $json.hostile }}',
		},
		items,
		'continueRegularOutput',
	);
	const outcome = await run.catch(refusedByN8n);
	expect(loot.functions).toEqual([]);
	const seen = inspectAll([loot.collected, outcome]);
	for (const secret of secrets) expect(seen).not.toContain(secret.toLowerCase());
}

/** The refusal comes from n8n: if a menu is an expression, n8n requires the fields of all its choices. */
function refusedByN8n(error: Error): Error {
	expect(error.constructor.name).toBe('WorkflowHasIssuesError');
	return error;
}
