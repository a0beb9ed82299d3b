import type { Row } from './rounds.mts';

interface Floor {
	/** Which rows it holds for. */
	readonly work: RegExp;
	readonly against: string;
	/** How many times the other contender's figure must be ours. */
	readonly times: number;
	/** The same in the short form, where so little is measured that it scatters. */
	readonly inShort?: number;
}

/** Ratios only: how fast a machine is says nothing of the package. */
const FLOORS: readonly Floor[] = [
	{ work: /^1,000 blocks by expression, 25 ms/, against: 'HTTP Request, predefined', times: 6 },
	{ work: /^1,000 blocks by expression, 25 ms/, against: 'HTTP Request, none', times: 1.8 },
	{ work: /^1,000 blocks fixed, 25 ms/, against: 'HTTP Request, predefined', times: 20 },
	{ work: /^1,000 blocks fixed, 25 ms/, against: 'HTTP Request, none', times: 4 },
	{ work: /^10,000 blocks.*memory/, against: 'HTTP Request, predefined', times: 1 / 0.6 },
	{ work: /pages of 100 projects, 25 ms/, against: 'HTTP Request, predefined', times: 5 },
	{
		work: /^A file of 512 MB$/,
		against: 'HTTP Request, predefined',
		times: 1 / 0.6,
		inShort: 1.3,
	},
	{
		work: /^A file of (512|2048) MB: memory/,
		against: 'HTTP Request, predefined',
		times: 2,
		inShort: 1.5,
	},
];

/** What fell under its floor, in words. */
export function findBroken(rows: readonly Row[], isShort: boolean): string[] {
	return FLOORS.flatMap(({ work, against, times: promised, inShort = promised }) => {
		const times = isShort ? inShort : promised;
		return rows
			.filter((row) => work.test(row.work))
			.map((row) => ({ row, ratio: computeRatio(row, against) }))
			.filter((measured) => !(measured.ratio >= times))
			.map(
				({ row, ratio: reached }) =>
					`${row.work}: ${reached.toFixed(2)} times ${against}, and at least ${times.toFixed(2)} are promised`,
			);
	});
}

/** How many times a contender takes what we take. */
export function computeRatio({ medians }: Row, against: string): number {
	return (medians[against] ?? NaN) / (medians.ours ?? NaN);
}
