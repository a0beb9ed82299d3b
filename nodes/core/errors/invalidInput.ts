/** Longer messages are cut, because n8n searches them with regular expressions, and 1 MB of text would block n8n. */
const MAX_MESSAGE_CHARS = 2000;

/** Is thrown if the user's input cannot be used; nothing was sent then. Very long messages are cut. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, MAX_MESSAGE_CHARS)}…` : message);
	}
}

/** Is thrown for a field that may contain a secret. The error does not repeat the content of the field. */
export class RefusedSecret extends InvalidInput {}

/** Joins the message and the description, for places where n8n shows only the message. */
export function formatInOneLine({
	message,
	description,
}: Pick<InvalidInput, 'message' | 'description'>): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
