import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LIST_INDENT, wrapText } from '../engine/words.mts';

interface Workflow {
	readonly name: string;
	readonly tags?: ReadonlyArray<{ readonly name: string }>;
	readonly nodes: ReadonlyArray<{
		readonly type: string;
		readonly parameters: { readonly content?: string };
	}>;
}

type Tasks = ReadonlyArray<readonly [task: string, files: readonly string[]]>;

/** The tasks of users, with the names of the examples that do each task. */
export const EXAMPLE_TASKS: Tasks = [
	[
		'Take payments',
		[
			'an-address-for-each-order',
			'tell-which-order-was-paid',
			'sweep-every-evening',
			'take-payments-on-any-chain',
			'ton-payments',
			'stablecoin-payments',
			'token-transfers',
			'payment-alerts',
			'sell-an-answer',
		],
	],
	[
		'Pay',
		[
			'pay',
			'ton-pay',
			'stark-pay',
			'witness-pay',
			'pay-a-list',
			'ask-a-second-node',
			'ask-before-paying',
			'pay-to-a-name',
			'pay-in-turn',
			'ton-pay-a-list',
			'pay-when-gas-is-cheap',
			'pay-dollars-in-coins',
			'push-what-is-stuck',
			'buy-an-answer',
			'pay-without-gas',
		],
	],
	[
		'Check first',
		[
			'would-it-work',
			'simulate-before-sending',
			'show-what-will-happen',
			'ton-what-will-it-cost',
			'ton-fee-check',
			'let-holders-in',
		],
	],
	[
		'Watch',
		[
			'price-alert',
			'vault-moves',
			'nft-transfers',
			'report-contract-events',
			'wait-for-transaction',
		],
	],
	['Mint, deploy, pin', ['mint-what-was-pinned', 'deploy-a-contract', 'pin-report']],
	[
		'Keep a table',
		['keep-transfers', 'transfers-to-table', 'traces-to-table', 'balances-every-morning'],
	],
	['Read', ['block-summary', 'token-balances', 'contract-calls', 'read-a-transaction']],
	[
		'Look after an account',
		['end-allowances', 'lend-energy', 'witness-vote', 'top-up-when-it-runs-low'],
	],
	['Call over gRPC', ['grpc-blocks', 'grpc-stream']],
	[
		'Let an agent work',
		['chain-assistant', 'chain-over-mcp', 'let-an-agent-pay', 'review-what-an-agent-signs'],
	],
];

/** Formats a list of all example workflows by task. The text of each is the beginning of its sticky note. */
export async function formatExamplesByTask(folder: string, tasks = EXAMPLE_TASKS): Promise<string> {
	const found = (await readdir(folder)).filter((file) => file.endsWith('.json'));
	checkTasks(
		found.map((file) => file.replace(/\.json$/, '')),
		tasks.flatMap(([, files]) => files),
	);
	const parts = tasks.map(async ([task, files]) => {
		const workflows = await Promise.all(
			files.map(async (file) => await readWorkflow(folder, file, task)),
		);
		const lines = workflows.map(({ file, name, about }) =>
			wrapText(`- [${name}](../examples/${file}.json): ${about}`, LIST_INDENT),
		);
		return [`### ${task}`, '', ...lines].join('\n');
	});
	return (await Promise.all(parts)).join('\n\n');
}

function checkTasks(found: readonly string[], listed: readonly string[]): void {
	const problems = [
		...found.filter((file) => !listed.includes(file)).map((file) => `${file} has no task`),
		...listed.filter((file) => !found.includes(file)).map((file) => `${file} does not exist`),
		...listed
			.filter((file, index) => listed.indexOf(file) !== index)
			.map((file) => `${file} has two tasks`),
	];
	if (problems.length > 0) throw new Error(`docs/make/pages/examples.mts: ${problems.join('; ')}`);
}

async function readWorkflow(folder: string, file: string, task: string) {
	const text = await readFile(join(folder, `${file}.json`), 'utf8');
	const workflow = JSON.parse(text) as Workflow;
	if (!workflow.tags?.some(({ name }) => name === task))
		throw new Error(`examples/${file}.json does not carry the tag "${task}"`);
	return { file, name: workflow.name, about: getAbout(workflow, file) };
}

const MIN_ABOUT_CHARS = 70;

/** Returns the first sentence below the heading of the sticky note. If it is short, the next sentence follows. */
function getAbout({ nodes }: Workflow, file: string): string {
	const note = nodes.find(({ type }) => type.endsWith('.stickyNote'))?.parameters.content ?? '';
	const [about = ''] = note
		.split('\n')
		.filter((line) => line.trim() !== '' && !line.startsWith('#'));
	const [first, second] = about.split(/(?<=[.?!])\s+/);
	if (!first) throw new Error(`examples/${file}.json has no sticky note that says what it does`);
	return first.length < MIN_ABOUT_CHARS && second ? `${first} ${second}` : first;
}
