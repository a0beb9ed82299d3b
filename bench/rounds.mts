/** The name under which the nodes of this package appear among the contenders. */
export const OURS = 'these nodes';

/** The ways to do the same work. Each returns its figure. */
type Contenders = Readonly<Record<string, () => Promise<number>>>;

export interface Row {
	readonly work: string;
	readonly unit: string;
	/** The median of each contender. */
	readonly medians: Readonly<Record<string, number>>;
	readonly rounds: number;
	/** The day of the measurement. */
	readonly taken?: string;
}

/**
 * Does the work with each contender in turn, round after round. A machine that becomes slower is then slower for all
 * contenders.
 */
export async function measureInRounds(
	{ work, unit, rounds }: Omit<Row, 'medians'>,
	contenders: Contenders,
): Promise<Row> {
	const measured = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
	for (let round = 0; round < rounds; round++) {
		for (const [name, measure] of Object.entries(contenders)) {
			measured.get(name)?.push(await measure());
		}
	}
	const medians = [...measured].map(([name, values]) => [name, computeMedian(values)] as const);
	const row = { work, unit, rounds, medians: Object.fromEntries(medians) };
	console.log(
		`${work}: ${medians.map(([name, value]) => `${name} ${formatFigure(value)} ${unit}`).join(', ')}`,
	);
	return row;
}

/**
 * Creates contenders that return recorded values, one per round. The values were recorded while another figure was
 * measured.
 */
export function replayValues(noted: Readonly<Record<string, readonly number[]>>): Contenders {
	const turns = Object.entries(noted).map(([name, values]) => {
		let turn = 0;
		return [name, async () => values[turn++] ?? NaN] as const;
	});
	return Object.fromEntries(turns);
}

function computeMedian(values: readonly number[]): number {
	return computePercentile(values, 0.5);
}

export function computePercentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Formats a figure with three digits, because further digits differ from round to round. */
export function formatFigure(value: number): string {
	return Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 2 });
}
