/** A value the user gave cannot be used: nothing was sent. */
export class Refusal extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
	}
}
