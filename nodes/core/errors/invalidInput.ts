/** The user's input cannot be used, so nothing was sent. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
	}
}

/** A field contains what may be a secret: the error does not include the field's content. */
export class RefusedSecret extends InvalidInput {}

/** Joins message and description for places where n8n shows the message alone. */
export function formatInOneLine({
	message,
	description,
}: Pick<InvalidInput, 'message' | 'description'>): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
