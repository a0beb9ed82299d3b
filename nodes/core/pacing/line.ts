import { sleep } from 'n8n-workflow';

/** Jobs one after another, in the order in which they were given. */
export class Line {
	private last: Promise<unknown> = Promise.resolve();

	async run<T>(job: () => Promise<T>): Promise<T> {
		const turn = this.last.then(async () => {
			// A failure needs a moment to reach whoever decides that nothing more is done.
			await sleep(0);
			return await job();
		});
		this.last = turn.catch(() => {});
		return await turn;
	}
}
