import { computeRatio } from './floors.mts';
import { formatFigure, type Row } from './rounds.mts';

const COMPARED_WITH = 'HTTP Request, predefined';

/** The rows that say most in few lines. */
const README_ROWS = [
	/^1,000 blocks by expression, 25 ms/,
	/^200 pages of 100 projects, 25 ms/,
	/^A file of 512 MB: memory/,
];

const FIGURES_PATTERN = /<!-- figures -->[^]*<!-- \/figures -->/;

/** Puts the figures of a whole run between the markers of the README. */
export function withFigures(readme: string, rows: readonly Row[]): string {
	const chosen = README_ROWS.map((work) => rows.find((row) => work.test(row.work)));
	const lines = chosen.flatMap((row) => (row ? [formatLine(row)] : []));
	if (lines.length < README_ROWS.length) throw new Error('A figure of the README was not measured');
	if (!FIGURES_PATTERN.test(readme)) throw new Error('The README has no place for the figures');
	const table = [
		'| work | these nodes | HTTP Request | |',
		'| --- | ---: | ---: | ---: |',
		...lines,
		'',
		'Printed by `npm run bench -- --write`; [docs/benchmarks.md](docs/benchmarks.md) has all of them, and the machine.',
	];
	return readme.replace(
		FIGURES_PATTERN,
		() => `<!-- figures -->\n\n${table.join('\n')}\n\n<!-- /figures -->`,
	);
}

function formatLine(row: Row): string {
	const { work, unit, medians } = row;
	const figure = (name: string) => `${formatFigure(medians[name] ?? NaN)} ${unit}`;
	return `| ${work} | ${figure('ours')} | ${figure(COMPARED_WITH)} | ${formatFigure(computeRatio(row, COMPARED_WITH))} × |`;
}
