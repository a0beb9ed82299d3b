/** A value the user gave cannot be used: nothing was sent. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
	}
}

/** With what to do about it, for where n8n shows a message alone. */
export function inOneLine({
	message,
	description,
}: Pick<InvalidInput, 'message' | 'description'>): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
