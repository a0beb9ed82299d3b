import { getChoices } from './choices.mts';
import { getNode } from '../../../test/harness/nodes.mts';
import { buildRows } from './parameters.mts';
import { formatTable } from './words.mts';

/**
 * The kinds of operations for the table of defaults. One operation stands for all of its kind, because they share their
 * options.
 */
const OPERATION_KINDS = [
	{ kind: 'JSON-RPC', node: 'evmRpc', part: 'rpc.request' },
	{ kind: 'HTTP', node: 'platform', part: 'organization.get' },
	{ kind: 'pins', node: 'ipfsPin', part: 'upload' },
] as const;

const OPTION_NAMES = [
	'Batch Size',
	'Concurrency',
	'Max Calls per Second',
	'Max Retries',
	'Max Wait',
	'Timeout',
];

/** Formats the table of the defaults for sending requests. */
export function formatDefaultsTable(): string {
	const options = OPERATION_KINDS.map(({ node, part }) => getDefaults(node, part));
	const rows = OPTION_NAMES.map((name) => [
		`**${name}**`,
		...options.map((one) => one.get(name)?.usual ?? '–'),
		options[0]?.get(name)?.meaning ?? '',
	]);
	return formatTable(['option', ...OPERATION_KINDS.map(({ kind }) => kind), 'meaning'], rows);
}

function getDefaults(node: string, part: string) {
	const { description } = getNode(node);
	const choice = getChoices(description).find((one) => one.part === part);
	if (!choice) throw new Error(`${node} has no "${part}"`);
	const rows = buildRows(description, choice);
	return new Map(
		rows.map(([name, , usual, meaning]) => [name.replace('Options → ', ''), { usual, meaning }]),
	);
}
