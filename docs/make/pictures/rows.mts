import type { Example } from '../../../demo/examples/examples.mts';
import { importExample } from '../../../demo/examples/run.mts';
import type { WorkflowNode } from '../../../demo/run/api.mts';
import type { Demo } from '../../../demo/run/demo.mts';

export interface PictureRow {
	/** The file below docs/pictures. */
	readonly name: string;
	/** The example that contains the row. */
	readonly file: string;
	readonly title: string;
	/** The nodes in the picture, from left to right. */
	readonly nodes: readonly string[];
}

/** The rows that the READMEs show: readable parts of examples that are too wide as a whole. */
export const rows: readonly PictureRow[] = [
	{
		name: 'pay',
		file: 'pay',
		title: '**Pay**: in one step, within your rules',
		nodes: ['Run by Hand', 'Settings', 'Pay'],
	},
];

/** The distance of nodes on n8n's canvas. */
const COLUMN_PIXELS = 160;
const NODE_PIXELS = 96;
const BORDER_PIXELS = 48;
const TITLE_PIXELS = 64;
const LABELS_PIXELS = 64;
const WHITE_COLOR = 7;

/** Imports the row into n8n. Nodes before it run as well, left of the picture; nodes between or behind it are left out. */
export async function importRow(demo: Demo, row: PictureRow, example: Example): Promise<string> {
	const workflow = await importExample(demo, example);
	const steps = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	const shown = row.nodes.map((name) => getNode(steps, name));
	const before = steps.slice(
		0,
		steps.findIndex((step) => step === shown[0]),
	);
	return await demo.api.saveWorkflow({
		id: `${row.file}-row`,
		name: row.title,
		settings: workflow.settings ?? {},
		nodes: [
			buildFrame(row),
			...shown.map((node, index) => placeNode(node, index)),
			// With this distance, the label of the line that enters the picture is outside.
			...before.map((node, index) => placeNode(node, index - before.length - 2)),
		],
		connections: connectNodes([...before, ...shown]),
	});
}

function getNode(nodes: readonly WorkflowNode[], name: string): WorkflowNode {
	const node = nodes.find((one) => one.name === name);
	if (!node) throw new Error(`The example has no node "${name}"`);
	return node;
}

function buildFrame({ title, nodes }: PictureRow) {
	const width = (nodes.length - 1) * COLUMN_PIXELS + NODE_PIXELS + 2 * BORDER_PIXELS;
	const height = TITLE_PIXELS + NODE_PIXELS + LABELS_PIXELS;
	return {
		name: 'Frame',
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		parameters: { content: `### ${title}`, width, height, color: WHITE_COLOR },
		position: [-BORDER_PIXELS, -TITLE_PIXELS],
	};
}

/** Leaves out the sign of a node that continues on errors. */
function placeNode(node: WorkflowNode, column: number) {
	return { ...node, position: [column * COLUMN_PIXELS, 0], onError: 'stopWorkflow' };
}

/** Connects each node to the next one. */
function connectNodes(nodes: readonly WorkflowNode[]) {
	const next = ({ name }: WorkflowNode) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return Object.fromEntries(nodes.slice(1).map((node, index) => [nodes[index]?.name, next(node)]));
}
