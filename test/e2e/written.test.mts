import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { installN8n } from '../../demo/install/install.mjs';
import { root } from '../../tools/paths.mjs';
import { createBuilder, type Builder, type WorkflowJson } from './builder.mts';

const examples = join(root, 'examples');
const files = readdirSync(examples);
const schemas = mkdtempSync(join(tmpdir(), 'schemas-'));

/**
 * The examples whose fields named "token" hold a token address. n8n's validator takes such a field for a secret.
 * The nodes use this name for the token to pay or to read.
 */
const TOKENS_THAT_ARE_NO_SECRETS: Readonly<Record<string, readonly string[]>> = {
	'an-address-for-each-order.json': ['Settings'],
	'balances-every-morning.json': ['Rows'],
	'contract-calls.json': ['Settings', 'Questions'],
	'end-allowances.json': ['Settings'],
	'pay-without-gas.json': ['Settings'],
	'pay.json': ['Settings'],
	'sell-an-answer.json': ['Settings'],
	'stark-pay.json': ['Settings'],
	'sweep-every-evening.json': ['Settings'],
	'take-payments-on-any-chain.json': ['Payment'],
	'token-balances.json': ['Settings'],
	'ton-pay.json': ['Settings'],
	'transfers-to-table.json': ['Settings'],
	'witness-pay.json': ['Settings'],
	'would-it-work.json': ['Settings'],
};
/**
 * The agents without a chat model. The user who imports the example adds one, because it needs the user's own account.
 */
const AGENTS_WITHOUT_A_MODEL: Readonly<Record<string, string>> = {
	'chain-assistant.json': 'Chain Assistant',
	'let-an-agent-pay.json': 'Payer',
	'review-what-an-agent-signs.json': 'Payer',
};

let builder: Builder;

before(async () => {
	await installN8n();
	builder = await createBuilder(schemas);
});

after(() => rmSync(schemas, { recursive: true }));

function readExample(file: string): WorkflowJson {
	return JSON.parse(readFileSync(join(examples, file), 'utf8')) as WorkflowJson;
}

describe("every example, in the code that n8n's builder writes", () => {
	for (const file of files)
		it(file, async () => {
			const example = readExample(file);
			const { workflow, warnings } = await builder.read(builder.write(example));
			assert.deepEqual(getSteps(workflow), getSteps(example));
			assert.deepEqual(workflow.connections, example.connections);
			assert.deepEqual(warnings, listExpectedWarnings(file));
		});

	it('a value of another type than that of the field is refused', async () => {
		const example = readExample('wait-for-transaction.json');
		const wait = example.nodes.find(({ parameters }) => parameters.operation === 'wait');
		wait!.parameters.confirmations = 'three';
		const { warnings } = await builder.read(builder.write(example));
		assert.match(warnings.join(), /Field "parameters\.confirmations"/);
	});

	it('a signed transaction is not left for the user to fill in', async () => {
		const example = readExample('pay-when-gas-is-cheap.json');
		const send = example.nodes.find(({ parameters }) => parameters.operation === 'send');
		send!.parameters.signedTransaction = '<__PLACEHOLDER_VALUE__the signed transaction__>';
		const { warnings } = await builder.read(builder.write(example));
		assert.match(warnings.join(), /placeholder\(\) is not supported .*'signedTransaction'/);
	});
});

function listExpectedWarnings(file: string): string[] {
	const tokens = TOKENS_THAT_ARE_NO_SECRETS[file] ?? [];
	const agent = AGENTS_WITHOUT_A_MODEL[file];
	const missing = [
		`'${agent}' requires a model subnode connected to its ai_languageModel input, but none is connected.`,
		`Node "${agent}": Required field "subnodes.model" is missing.`,
	];
	return [
		...tokens.map(
			(node) =>
				`'${node}' [n8n-nodes-base.set] has a field named "token" which appears to be storing credentials. Use n8n's credential system instead.`,
		),
		...(agent ? missing : []),
	];
}

/**
 * Lists the parts of nodes that the builder's code contains. The code sets the positions and ids of nodes by itself.
 */
function getSteps({ nodes }: WorkflowJson) {
	return nodes
		.map(({ name, type, typeVersion, parameters }) => ({ name, type, typeVersion, parameters }))
		.sort((one, other) => (one.name < other.name ? -1 : 1));
}
