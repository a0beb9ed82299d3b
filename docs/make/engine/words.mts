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

const LINE_CHARS = 150;
/** Further lines of a list item begin below the text of its first line. */
export const LIST_INDENT = '  ';

/** Breaks a paragraph between words, so that no line is longer than others of the pages. */
export function wrapText(text: string, indent = ''): string {
	return text
		.split(' ')
		.reduce<string[]>((lines, word) => {
			const last = lines.at(-1);
			return last !== undefined && last.length + word.length < LINE_CHARS
				? [...lines.slice(0, -1), `${last} ${word}`]
				: [...lines, last === undefined ? word : `${indent}${word}`];
		}, [])
		.join('\n');
}
