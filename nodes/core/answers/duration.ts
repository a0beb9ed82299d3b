const MILLISECONDS: Readonly<Record<string, number>> = {
	h: 3_600_000,
	m: 60_000,
	s: 1000,
	ms: 1,
	µs: 0.001,
	μs: 0.001,
	us: 0.001,
	ns: 0.000001,
};

const PART = /(\d+(?:\.\d*)?)(h|ms|µs|μs|us|ns|m|s)/g;

/** The milliseconds of a duration as Go writes it, for example "1m30s" or "560.27ms". */
export function duration(given: unknown): number | undefined {
	if (typeof given !== 'string' || given.replace(PART, '') !== '' || given === '') return undefined;
	return [...given.matchAll(PART)].reduce(
		(sum, [, amount, unit = '']) => sum + Number(amount) * (MILLISECONDS[unit] ?? 0),
		0,
	);
}
