const REPORT_INTERVAL_MS = 10_000;

/** The steps of a start, in this order, and how long each takes the first time. */
const STEPS = new Map([
	['packages', 'about a minute'],
	['n8n', 'about five minutes'],
	['driver', 'up to three minutes'],
	['nodes', 'about a minute'],
	['start', 'about half a minute'],
	['examples', 'about half a minute'],
]);

/** Formats which step of the start this is. */
export function formatStep(name, words) {
	return `Step ${[...STEPS.keys()].indexOf(name) + 1} of ${STEPS.size}: ${words}`;
}

/** Runs one step of the start: prints its name, its progress, and how long it took. */
export async function runStep(name, title, job, howFar = () => '') {
	const start = Date.now();
	const elapsed = () => Math.round((Date.now() - start) / 1000);
	console.log(formatStep(name, `${title} (${STEPS.get(name)}) …`));
	const timer = setInterval(() => {
		console.log(['  still at it', `${elapsed()} s`, howFar()].filter(Boolean).join(', '));
	}, REPORT_INTERVAL_MS);
	try {
		const result = await job();
		console.log(`  done in ${elapsed()} s`);
		return result;
	} finally {
		clearInterval(timer);
	}
}
