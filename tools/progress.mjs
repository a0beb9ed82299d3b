const REPORT_INTERVAL_MS = 10_000;

/** The steps of a start, and the time that each takes at the first start. The first three run at the same time. */
const STEPS = new Map([
	['packages', 'about a minute'],
	['n8n', 'about four minutes'],
	['driver', 'up to three minutes'],
	['nodes', 'some seconds'],
	['start', 'about half a minute'],
	['examples', 'about half a minute'],
]);

/** The seconds that each finished step has taken. */
const secondsByStep = new Map();

/** Formats the heading of a step, with its number among all steps of the start. */
export function formatStep(name, words) {
	return `Step ${[...STEPS.keys()].indexOf(name) + 1} of ${STEPS.size}: ${words}`;
}

/** Formats the progress of a step. Steps run at the same time, so every line names its step. */
export function formatProgress(name, words) {
	return `  ${name}: ${words}`;
}

/** Runs a step of the start. It prints the title, the progress, and the time that the step took. */
export async function runStep(name, title, job, howFar = () => '') {
	const elapsed = startClock(name);
	console.log(formatStep(name, `${title} (${STEPS.get(name)}) …`));
	const timer = setInterval(() => {
		const words = ['still running', `${elapsed()} s`, howFar()].filter(Boolean).join(', ');
		console.log(formatProgress(name, words));
	}, REPORT_INTERVAL_MS);
	try {
		const result = await job();
		console.log(formatProgress(name, `done in ${elapsed()} s`));
		return result;
	} finally {
		clearInterval(timer);
	}
}

/**
 * Starts a clock. The returned function gives the seconds since then, and its last value counts as the time of the
 * step.
 */
export function startClock(name) {
	const start = Date.now();
	return () => {
		const seconds = Math.round((Date.now() - start) / 1000);
		secondsByStep.set(name, seconds);
		return seconds;
	};
}

/** Lists the steps in order. A step that was run has its seconds. */
export function listSteps() {
	return [...STEPS.keys()].map((name) => ({ name, seconds: secondsByStep.get(name) }));
}
