/** What an error is in an item. n8n 1 sends no other keys to the error output: they would come out as if all were well. */
export function toErrorJson(error: {
	readonly message: string;
	readonly description?: string | null;
}) {
	const { message, description } = error;
	return { error: message, ...(description && { message: description }) };
}
