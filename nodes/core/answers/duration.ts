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

const LONGEST = 40;
const PART = /(\d+(?:\.\d*)?)(h|ms|µs|μs|us|ns|m|s)/y;

/** The milliseconds of a duration as Go writes it, for example "1m30s" or "560.27ms". */
export function duration(given: unknown): number | undefined {
	if (typeof given !== 'string' || given === '' || given.length > LONGEST) return undefined;
	let milliseconds = 0;
	PART.lastIndex = 0;
	while (PART.lastIndex < given.length) {
		const [, amount, unit = ''] = PART.exec(given) ?? [];
		if (amount === undefined) return undefined;
		milliseconds += Number(amount) * (MILLISECONDS[unit] ?? 0);
	}
	return milliseconds;
}
