import { cpus, totalmem } from 'node:os';
import { computeRatio } from './floors.mts';
import { formatFigure, OURS, type Row } from './rounds.mts';

/** Describes the date and the machine of a measurement. */
export function describeMachine(): string {
	const [first] = cpus();
	const cores = `${cpus().length} cores (${first?.model.trim() ?? 'unknown'})`;
	const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
	return `${new Date().toISOString().slice(0, 10)}, ${cores}, ${memory}, Node ${process.version}`;
}

export function printTable(rows: readonly Row[]): void {
	console.log(`\n${formatTable(rows).join('\n')}`);
}

/** The headings before and after the tables of the page. The rest of the page is written by hand. */
const TABLES_HEADING = '## The figures\n';
const NEXT_HEADING = '## Measure it yourself\n';

/** Replaces the tables of the page. Each machine and day has a table of its own. */
export function replaceTables(page: string, rows: readonly Row[]): string {
	const [begin, end] = [page.indexOf(TABLES_HEADING), page.indexOf(NEXT_HEADING)];
	if (begin < 0 || end < begin) throw new Error('The page of the benchmarks lacks its headings');
	const machines = [...new Set(rows.map(({ taken }) => taken))].sort();
	const tables = machines.map((machine) => {
		const measured = rows.filter(({ taken }) => taken === machine);
		const line = `The next table was measured on this day, machine and version of Node.js: ${machine}.`;
		return `${line}\n\n${formatTable(measured).join('\n')}\n`;
	});
	return [page.slice(0, begin) + TABLES_HEADING, ...tables, page.slice(end)].join('\n');
}

/** Formats a table. Each row repeats the work, so that a reader who finds a single row by a search understands it. */
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
