import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { packages } from '../../demo/install/packages.mjs';
import { preparePayment } from '../cases/signer.mts';
import { agentInput, cases } from './agent/cases.mts';
import { scriptedModel } from './agent/scriptedModel.mts';
import { fromModel, toolOf } from './agent/tool.mts';
import { nodesOf } from './manifest.mts';
import { buildScene } from './scene.mts';
import { errorOf, line, node, run, START, TESTED, to, type Node } from './workflows.mts';
import { control, demo, type Seen } from './world.mts';

const AGENT = 'Agent';
const MODEL = 'Model';
/**
 * The versions of the agent node. Version 2.2 runs its tools itself with its own item; n8n runs the tools of version 3.
 */
const VERSIONS = [2.2, 3];

describe('called by an AI agent', () => {
	let model: Awaited<ReturnType<typeof scriptedModel>>;
	let openAiApi: { id: string; name: string };

	before(async () => {
		model = await scriptedModel();
		const name = 'Scripted Model';
		const data = { apiKey: 'none', url: model.url };
		openAiApi = { id: await demo.api.saveCredential(name, 'openAiApi', data), name };
	});
	after(async () => {
		await demo.api.ask('DELETE', `/credentials/${openAiApi.id}`);
		model.close();
	});

	/** Lets the model of an agent call a tool with the given input. Returns what the model and the service received. */
	async function call(tool: Node, given: object, typeVersion: number) {
		await control('DELETE', '/record');
		const heard = model.give(given);
		const asked = { promptType: 'define', text: 'Use your tool' };
		const agent = node(AGENT, '@n8n/n8n-nodes-langchain.agent', asked, { typeVersion });
		const type = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
		const parameters = { model: { __rl: true, mode: 'id', value: 'scripted' } };
		const mind = node(MODEL, type, parameters, {
			typeVersion: 1.2,
			credentials: { openAiApi },
		});
		const wire = (kind: string) => ({ [kind]: [[{ node: AGENT, type: kind, index: 0 }]] });
		const wires = { [MODEL]: wire('ai_languageModel'), [TESTED]: wire('ai_tool') };
		const execution = await run({
			nodes: [...line(agent).nodes, mind, tool],
			connections: { [START]: to(AGENT), ...wires },
			items: [agentInput()],
		});
		const requests = await control<Seen[]>('GET', '/record');
		return { ...heard, execution, requests, answer: heard.answer ?? '' };
	}

	it('is every action node', () => {
		const nodes = packages.flatMap(({ manifest }) => nodesOf(manifest));
		const actions = nodes.filter((name) => !name.endsWith('Trigger'));
		const names = actions.map((name) => name.split('.')[1]);
		assert.deepEqual(Object.keys(cases).sort(), names.sort());
	});

	for (const version of VERSIONS) {
		describe(`of version ${version}`, () => {
			for (const [name, one] of Object.entries(cases)) {
				it(`${name} says what it does, takes what the model chose, and answers briefly`, async () => {
					const value = await one.value();
					const heard = await call(await one.tool(), { [one.field]: value }, version);
					const { execution, tool, answer, requests } = heard;
					assert.equal(execution.status, 'success', errorOf(execution).message);
					assert.equal(tool?.description, one.description);
					assert.deepEqual(Object.keys(tool.parameters.properties), [one.field]);
					const service = [requests, await control('GET', '/pins')];
					const text = one.isEchoed ? answer : JSON.stringify(service);
					assert.ok(text.includes(await one.heard(value)), text);
					for (const field of one.fields) assert.ok(answer.includes(`"${field}":`), answer);
					assert.ok(Buffer.byteLength(answer) <= one.mostBytes, answer);
				});
			}

			it('$json is what n8n takes it for, though the model uses the same name', async () => {
				const { person } = agentInput();
				const { owner } = demo.chain;
				const tool = toolOf('trace', 'token', {
					fromAddress: '={{ $json.person }}',
					// The array makes n8n evaluate the item's field and the model's value in one expression.
					toAddress: `={{ [$json.person, $fromAI('person', 'The person', 'string')] }}`,
				});
				const { requests } = await call(tool, { person: owner }, version);
				const { params } = requests[0]?.body as {
					params: Array<{ fromAddress: string[]; toAddress: string[] }>;
				};
				const [ours] = params[0]?.fromAddress ?? [];
				const [n8ns, chosen] = params[0]?.toAddress ?? [];
				assert.deepEqual([ours, chosen], [n8ns, owner]);
				// The tool's item contains the model's input in version 3 of the agent node. It is the agent's item in 2.2.
				assert.equal(ours, version < 3 ? person : owner);
			});

			it('a mistake of the model is reported with advice, if the tool continues on an error', async () => {
				const asked = toolOf('faucet', 'platform', { address: fromModel('address') });
				const tool = { ...asked, onError: 'continueRegularOutput' };
				const { answer, requests } = await call(tool, { address: '' }, version);
				assert.match(answer, /^\[\{"error":"'Address' is required","message":"Enter a value/);
				assert.deepEqual(requests, []);
			});

			it('a rule of the signer stops the model, and it reads which', async () => {
				const asked = toolOf('signer', 'key', {
					resource: 'transaction',
					operation: 'sign',
					transaction: fromModel('transaction'),
				});
				const tool = { ...asked, onError: 'continueRegularOutput' };
				const transaction = JSON.stringify(await preparePayment(await buildScene('key'), '1.5'));
				const { answer } = await call(tool, { transaction }, version);
				assert.match(
					answer,
					/"The rule Max Amount forbids it: the transaction sends 1\.5 coins. Allowed: at most 1"/,
				);
				assert.ok(!answer.includes('signedTransaction'), answer);
			});
		});
	}
});
