/** Longer messages are cut, because n8n searches them with regular expressions, and 1 MB of text would block n8n. */
const MAX_MESSAGE_CHARS = 2000;

/** The user's input cannot be used, so nothing was sent. A message that quotes long names is cut. */
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

/** Joins message and description for places where n8n shows the message alone. */
export function formatInOneLine({
	message,
	description,
}: Pick<InvalidInput, 'message' | 'description'>): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
