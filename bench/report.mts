import { cpus, totalmem } from 'node:os';
import { computeRatio } from './floors.mts';
import { formatFigure, OURS, type Row } from './rounds.mts';

/** Says when and on which machine the figures are measured. */
export function describeMachine(): string {
	const [first] = cpus();
	const cores = `${cpus().length} cores (${first?.model.trim() ?? 'unknown'})`;
	const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
	return `${new Date().toISOString().slice(0, 10)}, ${cores}, ${memory}, Node ${process.version}`;
}

export function printTable(rows: readonly Row[]): void {
	console.log(`\n${formatTable(rows).join('\n')}`);
}

/** What a reader must know before the tables. */
const INTRODUCTION = `# Benchmarks

This page compares the nodes of this package with n8n's HTTP Request node. The tables call the nodes of this package **these nodes**. Both run in a real n8n, and ask a test service on the same machine for the same work. The test service does nothing but answer.

## How it is measured

- **Time.** n8n notes how long a node takes, and the tables show this time. The times of \`without n8n\`, \`curl\`, loading and the trigger are taken by scripts.
- **Rounds.** Each figure is the median of its rounds. In each round, the contenders take turns. So if the machine becomes slower, it is slower for all contenders.
- **Memory over idle** in the benchmarks says how much memory an upload takes. An n8n is started for this measurement alone. The figure is its highest memory minus its memory before the work. It includes the memory of the n8n node that reads the uploaded file from the disk. Only Linux can measure this.
- **The last column** says how many times as much the contender takes as these nodes.
- **The line above a table** names the day, the machine, and the version of Node that runs the scripts.

## The work

- **Read blocks by expression.** Each item has the number of another block. The parameter is an expression that only names this field, as it is when you drag the field from the input panel.
- **Read one block for all items.** The parameter is a fixed value, the same for all items. These nodes ask for the block once. HTTP Request asks for it once for each item. \`without n8n\` asks for another block each time, so it can be slower here than these nodes.
- **0 ms away, 25 ms away.** The test service answers at once, or after 25 ms.
- **Read pages of projects.** Each node fetches a list of the platform, page by page.
- **Upload a file.** The file is pinned to IPFS. These nodes also compute the file's CID, its address on IPFS, while they send it. The first upload takes three hashes, some 1.1 s of processor time for 512 MB. Later uploads take one hash. Until 2026-11-28, every upload took three. Over a network with 100 MB/s, hashing makes no upload longer (\`npm run figures upload\`).
- **Read 300 blocks at 25 calls a second.** The test service refuses all calls above this rate. The first 25 calls may be sent at once, so the ideal time is 11 seconds. Two more rows count the calls that were refused and the items that failed.
- **Start a workflow on each of 200 blocks.** The test service announces each block over a WebSocket. The time runs from the announcement to the moment when n8n starts the workflow.
- **The rows "Load the package" and "Load the code"** of the benchmarks. When n8n starts, it reads only the descriptions of the nodes: "Load the package" measures this. n8n loads the code of a node when the node is first used: "Load the code" measures this for all nodes.
- **Description of a node.** The size of the node's fields and texts as JSON, as n8n loads them.

## The contenders

- \`these nodes, computed\`: the parameter is an expression that computes something, \`{{ $json.block * 1 }}\`. n8n evaluates it for each item.
- \`Edit Fields, computed\`: n8n's node Edit Fields evaluates the same expression and sends no request. So its time is the time of the expressions alone.
- \`HTTP Request, none\`, \`bearer\` and \`predefined\`: the node has no credential, n8n's credential Bearer Auth, or a credential of this package.
- \`HTTP Request, batching\`: the node sends 25 calls, then pauses for a second, by its option Batching.
- \`without n8n\`: a script reads the blocks, a hundred in one request and four requests at a time.
- \`bare WebSocket\`: a script listens to the same WebSocket and does nothing else.
`;

const COMMANDS = `## Measure it yourself

\`\`\`
npm run bench                   # all rows; --write renews this page
npm run bench -- --only uploads # only these rows; the others stay those of the last run
npm run bench -- --short        # three minutes; fails if a ratio falls below the smallest allowed
\`\`\`
`;

/** Formats a page for people: the explanations, a table for each machine, and the commands that measure again. */
export function formatPage(rows: readonly Row[]): string {
	const machines = [...new Set(rows.map(({ taken }) => taken))].sort();
	const tables = machines.map((machine) => {
		const measured = rows.filter(({ taken }) => taken === machine);
		return `Measured on ${machine}:\n\n${formatTable(measured).join('\n')}\n`;
	});
	return [INTRODUCTION, '## The figures\n', ...tables, COMMANDS].join('\n');
}

/** Each row says what was done, because a reader finds single rows by searching. */
function formatTable(rows: readonly Row[]): string[] {
	return [
		'| work | contender | figure | rounds | compared with these nodes |',
		'| --- | --- | ---: | ---: | ---: |',
		...rows.flatMap((row) =>
			Object.entries(row.medians).map(
				([name, value]) =>
					`| ${row.work} | ${name} | ${formatFigure(value)} ${row.unit} | ${row.rounds} | ${compare(row, name)} |`,
			),
		),
	];
}

function compare(row: Row, name: string): string {
	return name === OURS || !row.medians[OURS] ? '–' : `${formatFigure(computeRatio(row, name))} ×`;
}
