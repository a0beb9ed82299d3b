/** The execution was stopped, or an earlier item failed: what is left is not done, and nobody is told. */
export class Stopped extends Error {
	constructor() {
		// n8n knows a stopped execution by this word.
		super('The execution was canceled');
	}
}
