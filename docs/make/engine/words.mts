/** Formats a description as a cell of a table: one line, without characters that would end the cell. */
export function toText(html: string): string {
	return escapeCell(html.replace(/<[/]?(?:a|b|i|code|br)\b[^>]*>/g, ''));
}

export function escapeCell(text: string): string {
	return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').trim();
}

export function formatTable(
	head: readonly string[],
	rows: ReadonlyArray<readonly string[]>,
): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
