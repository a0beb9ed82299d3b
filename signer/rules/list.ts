/** Formats a list such as `A, B and 3 more`. */
export function formatList(texts: readonly string[], most: number): string {
	const more = texts.length - most;
	return texts.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
