/** Formats a description as a table cell: in one line, without HTML tags, and with escaped bars. */
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
/** The indent of further lines in a list item. It aligns them with the first line. */
export const LIST_INDENT = '  ';

/** Breaks a paragraph between words, so that its lines are no longer than the other lines of the pages. */
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
