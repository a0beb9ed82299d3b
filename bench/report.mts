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

/** The tables of the page are between these headings. People write the rest of the page. */
const TABLES_HEADING = '## The figures\n';
const NEXT_HEADING = '## Measure it yourself\n';

/** Replaces the tables of the page for people: a table for each machine and day. */
export function replaceTables(page: string, rows: readonly Row[]): string {
	const [begin, end] = [page.indexOf(TABLES_HEADING), page.indexOf(NEXT_HEADING)];
	if (begin < 0 || end < begin) throw new Error('The page of the benchmarks lacks its headings');
	const machines = [...new Set(rows.map(({ taken }) => taken))].sort();
	const tables = machines.map((machine) => {
		const measured = rows.filter(({ taken }) => taken === machine);
		const line = `The figures in the next table were measured on this day and machine: ${machine}.`;
		return `${line}\n\n${formatTable(measured).join('\n')}\n`;
	});
	return [page.slice(0, begin) + TABLES_HEADING, ...tables, page.slice(end)].join('\n');
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
