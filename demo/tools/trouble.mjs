/** What a user can mend: shown as the sentence it is, without a stack. */
export class Trouble extends Error {}

/** What is left to say when a command fails. */
export function wordsOf(error) {
	return error instanceof Trouble ? error.message : error;
}
