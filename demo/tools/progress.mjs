const EVERY = 10_000;

/** Does one step of the start: says what it is, that it is still going on, and how long it took. */
export async function step(title, job) {
	const start = Date.now();
	const elapsed = () => Math.round((Date.now() - start) / 1000);
	console.log(`${title} …`);
	const timer = setInterval(() => console.log(`  still at it, ${elapsed()} s`), EVERY);
	try {
		const result = await job();
		if (elapsed() > 0) console.log(`  done in ${elapsed()} s`);
		return result;
	} finally {
		clearInterval(timer);
	}
}
