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

/** The rows of nodes that the READMEs show. Each is a part of an example that is too wide for a picture. */
export const rows: readonly PictureRow[] = [
	{
		name: 'pay',
		file: 'pay',
		title: '**Pay**: in one step, within your rules',
		nodes: ['Run by Hand', 'Settings', 'Pay'],
	},
];

/** The sizes on n8n's canvas in pixels. The first is the distance from one node to the next. */
const COLUMN_PIXELS = 160;
const NODE_PIXELS = 96;
const BORDER_PIXELS = 48;
const TITLE_PIXELS = 64;
const LABELS_PIXELS = 64;
const WHITE_COLOR = 7;

/**
 * Imports a row into n8n. Nodes before the row are placed left of the picture, because they must run too. All other
 * nodes are left out.
 */
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
			// At this distance, the label of the line that enters the row is outside the picture.
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

/** Places a node in a column. It removes the setting to continue on errors, whose sign would clutter the picture. */
function placeNode(node: WorkflowNode, column: number) {
	return { ...node, position: [column * COLUMN_PIXELS, 0], onError: 'stopWorkflow' };
}

/** Connects each node to the next one. */
function connectNodes(nodes: readonly WorkflowNode[]) {
	const next = ({ name }: WorkflowNode) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return Object.fromEntries(nodes.slice(1).map((node, index) => [nodes[index]?.name, next(node)]));
}
