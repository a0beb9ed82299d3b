const REPORT_INTERVAL_MS = 10_000;

/** The steps of a start, and how long each takes the first time. The first three run side by side. */
const STEPS = new Map([
	['packages', 'about a minute'],
	['n8n', 'about four minutes'],
	['driver', 'up to three minutes'],
	['nodes', 'some seconds'],
	['start', 'about half a minute'],
	['examples', 'about half a minute'],
]);

/** The seconds that each finished step took. */
const secondsByStep = new Map();

/** Formats which step of the start this is. */
export function formatStep(name, words) {
	return `Step ${[...STEPS.keys()].indexOf(name) + 1} of ${STEPS.size}: ${words}`;
}

/** Formats how far a step is; steps run side by side, so every line names its own. */
export function formatProgress(name, words) {
	return `  ${name}: ${words}`;
}

/** Runs one step of the start: prints its name, its progress, and how long it took. */
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

/** Returns the seconds since the call. The last value is the time of the step. */
export function startClock(name) {
	const start = Date.now();
	return () => {
		const seconds = Math.round((Date.now() - start) / 1000);
		secondsByStep.set(name, seconds);
		return seconds;
	};
}

/** Lists the steps in their order, with the seconds of those that were run. */
export function listSteps() {
	return [...STEPS.keys()].map((name) => ({ name, seconds: secondsByStep.get(name) }));
}
