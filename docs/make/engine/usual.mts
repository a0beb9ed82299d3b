import { choicesOf } from './choices.mts';
import { nodeNamed } from './nodes.mts';
import { rowsOf } from './parameters.mts';
import { table } from './words.mts';

/** One operation of each kind: they share their options. */
const KINDS = [
	{ kind: 'JSON-RPC', node: 'evmRpc', part: 'account.getBalance' },
	{ kind: 'HTTP', node: 'platform', part: 'organization.get' },
	{ kind: 'pins', node: 'ipfsPin', part: 'upload' },
] as const;

const NAMES = [
	'Batch Size',
	'Concurrency',
	'Max Calls per Second',
	'Max Retries',
	'Max Wait',
	'Timeout',
];

/** How requests travel unless the user says otherwise. */
export function usualTable(): string {
	const options = KINDS.map(({ node, part }) => optionsOf(node, part));
	const rows = NAMES.map((name) => [
		`**${name}**`,
		...options.map((one) => one.get(name)?.usual ?? '–'),
		options[0]?.get(name)?.meaning ?? '',
	]);
	return table(['option', ...KINDS.map(({ kind }) => kind), 'meaning'], rows);
}

function optionsOf(node: string, part: string) {
	const { description } = nodeNamed(node);
	const choice = choicesOf(description).find((one) => one.part === part);
	if (!choice) throw new Error(`${node} has no "${part}"`);
	const rows = rowsOf(description, choice);
	return new Map(
		rows.map(([name, , usual, meaning]) => [name.replace('Options → ', ''), { usual, meaning }]),
	);
}
