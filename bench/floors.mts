import { OURS, type Row } from './rounds.mts';

interface Floor {
	/** A pattern for the names of the benchmark rows whose ratio must be at least `times`. */
	readonly work: RegExp;
	readonly against: string;
	/** The smallest allowed ratio of the other contender's figure to ours. */
	readonly times: number;
	/** The smallest allowed ratio in the short run, which measures so little that its figures vary more. */
	readonly inShort?: number;
}

/**
 * The smallest allowed ratios. They compare contenders on the same machine, because absolute times depend on its speed.
 */
const FLOORS: readonly Floor[] = [
	{
		work: /^Read 1,000 blocks by expression, 25 ms/,
		against: 'HTTP Request, predefined',
		times: 6,
	},
	{ work: /^Read 1,000 blocks by expression, 25 ms/, against: 'HTTP Request, none', times: 1.8 },
	{
		work: /^Read one block for 1,000 items, 25 ms/,
		against: 'HTTP Request, predefined',
		times: 20,
	},
	{ work: /^Read one block for 1,000 items, 25 ms/, against: 'HTTP Request, none', times: 4 },
	{ work: /^Read 10,000 blocks.*memory/, against: 'HTTP Request, predefined', times: 1 / 0.6 },
	{ work: /pages of 100 projects, 25 ms/, against: 'HTTP Request, predefined', times: 5 },
	// This ratio is small: our node also computes the CID of the file, which takes longer than the local transfer.
	{
		work: /^Upload a file of 512 MB$/,
		against: 'HTTP Request, predefined',
		times: 1 / 0.75,
		inShort: 1.2,
	},
	{
		work: /^Upload a file of (512|2048) MB: memory/,
		against: 'HTTP Request, predefined',
		times: 2,
		inShort: 1.5,
	},
];

/** Describes the rows whose ratios are below the smallest allowed ratios. */
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

/** Computes the figure of a contender divided by the figure of our node. */
export function computeRatio({ medians }: Row, against: string): number {
	return (medians[against] ?? NaN) / (medians[OURS] ?? NaN);
}
