/** Text of a description as a cell of a table: one line, and nothing that would end the cell. */
export function words(html: string): string {
	return cell(html.replace(/<[/]?(?:a|b|i|code|br)\b[^>]*>/g, ''));
}

export function cell(text: string): string {
	return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').trim();
}

export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
