import { cpus, totalmem } from 'node:os';
import { computeRatio } from './floors.mts';
import { formatFigure, type Row } from './rounds.mts';

/** Says when and on which machine the figures are measured. */
export function describeMachine(): string {
	const [first] = cpus();
	const cores = `${cpus().length} cores (${first?.model.trim() ?? 'unknown'})`;
	const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
	return `${new Date().toISOString().slice(0, 10)}, ${cores}, ${memory}, Node ${process.version}`;
}

export function printTable(rows: readonly Row[]): void {
	console.log(`\n${formatLines(rows).join('\n')}`);
}

/** Formats a page for people: the table, the machine, and the command that prints it again. */
export function formatPage(rows: readonly Row[]): string {
	const machines = [...new Set(rows.map(({ taken }) => taken))].sort();
	return [
		'# Benchmarks',
		'',
		'Against n8n’s HTTP Request node, in a real n8n, on the same work. Times are what n8n itself notes for the node; each figure is the median of its rounds, and the contenders take turns.',
		'',
		`Taken on ${machines.join(' and on ')} for the measuring process.`,
		'',
		...formatLines(rows),
		'',
		'## Print it again',
		'',
		'```',
		'npm run bench                   # all of it; --write renews this page',
		'npm run bench -- --only uploads # these rows anew, beside those of the last run',
		'npm run bench -- --short        # three minutes: ratios against their floors',
		'```',
		'',
		'`by expression` is one that names a field of the item, as dragging it from the input panel makes it; `computed` is more than that (`{{ $json.block * 1 }}`), and n8n evaluates it for each item: `Edit Fields` shows what that costs in n8n alone. `without n8n` and `curl` are the same work without n8n: the least it can take. Memory is the highest peak of n8n’s process over what it takes idle, in an n8n started for it (Linux only); the node that reads the file counts, too. An upload computes the CID of the file while it is sent: the first by three hashes, some 1.1 s of the processor for 512 MB, and later ones by one. Over a network with 100 MB/s this takes no time of its own (`npm run figures upload`).',
		'',
	].join('\n');
}

function formatLines(rows: readonly Row[]): string[] {
	return [
		'| work | contender | median | against ours |',
		'| --- | --- | ---: | ---: |',
		...rows.flatMap((row) =>
			Object.entries(row.medians).map(([name, value], index) => {
				const times =
					name === 'ours' || !row.medians.ours ? '' : `${formatFigure(computeRatio(row, name))} ×`;
				return `| ${index === 0 ? row.work : ''} | ${name} | ${formatFigure(value)} ${row.unit} | ${times} |`;
			}),
		),
	];
}
