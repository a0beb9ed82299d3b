import { ratio } from './floors.mts';
import { shortest, type Row } from './rounds.mts';

const AGAINST = 'HTTP Request, predefined';

/** What says most in few lines. */
const CHOSEN = [
	/^1,000 blocks by expression, 25 ms/,
	/^200 pages of 100 projects, 25 ms/,
	/^A file of 512 MB$/,
	/^A file of 512 MB: memory/,
];

const BLOCK = /<!-- figures -->[^]*<!-- \/figures -->/;

/** The README with the figures of a whole run between its markers. */
export function withFigures(readme: string, rows: readonly Row[]): string {
	const chosen = CHOSEN.map((work) => rows.find((row) => work.test(row.work)));
	const lines = chosen.flatMap((row) => (row ? [line(row)] : []));
	if (lines.length < CHOSEN.length) throw new Error('A figure of the README was not measured');
	if (!BLOCK.test(readme)) throw new Error('The README has no place for the figures');
	const table = [
		'| work | these nodes | HTTP Request | |',
		'| --- | ---: | ---: | ---: |',
		...lines,
		'',
		'Printed by `npm run bench -- --write`; [docs/benchmarks.md](docs/benchmarks.md) has all of them, and the machine.',
	];
	return readme.replace(
		BLOCK,
		() => `<!-- figures -->\n\n${table.join('\n')}\n\n<!-- /figures -->`,
	);
}

function line(row: Row): string {
	const { work, unit, medians } = row;
	const figure = (name: string) => `${shortest(medians[name] ?? NaN)} ${unit}`;
	return `| ${work} | ${figure('ours')} | ${figure(AGAINST)} | ${shortest(ratio(row, AGAINST))} × |`;
}
