/** n8n searches each message by regular expressions: a megabyte of it would hold n8n up. */
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

/** A field contains what may be a secret: the error does not include the field's content. */
export class RefusedSecret extends InvalidInput {}

/** Joins message and description for places where n8n shows the message alone. */
export function formatInOneLine({
	message,
	description,
}: Pick<InvalidInput, 'message' | 'description'>): string {
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}
