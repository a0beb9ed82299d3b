/** The user's input cannot be used, so nothing was sent. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
	}
}

/** A field holds what may be a secret: nothing of the field comes out with the error. */
export class RefusedSecret extends InvalidInput {}

/** Joins message and description for places where n8n shows the message alone. */
export function formatInOneLine({
	message,
	description,
}: Pick<InvalidInput, 'message' | 'description'>): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
