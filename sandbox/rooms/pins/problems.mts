/** One entry of the answer `{"errors": […]}`. */
export interface Problem {
	code: string;
	message: string;
	field: string | null;
}

export class PinRefusal extends Error {
	readonly statusCode: number;
	readonly problems: Problem[];

	constructor(statusCode: number, problems: Problem[]) {
		super(problems.map(({ message }) => message).join(' '));
		this.statusCode = statusCode;
		this.problems = problems;
	}
}

export const FILE_TOO_LARGE = 'file_too_large';

export const pinRefusedError = (problems: Problem[]) =>
	new PinRefusal(problems.some(({ code }) => code === FILE_TOO_LARGE) ? 413 : 400, problems);
