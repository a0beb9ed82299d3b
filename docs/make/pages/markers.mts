/** A pattern for a generated part of a page, from `<!-- made: name -->` to `<!-- end -->`. */
const MARKED_BLOCK_PATTERN = /<!-- made: (\S+) -->[^]*?<!-- end -->/g;

/** Fills each part of a page between its markers. Reports missing and superfluous parts. */
export function fillPage(
	page: string,
	parts: Readonly<Record<string, string>>,
): { readonly text: string; readonly problems: readonly string[] } {
	const wanted = new Set(Object.keys(parts));
	const problems: string[] = [];
	const text = page.replace(MARKED_BLOCK_PATTERN, (block, name: string) => {
		const part = parts[name];
		if (part === undefined) problems.push(`nothing is made for "${name}"`);
		else if (!wanted.delete(name)) problems.push(`"${name}" is there twice`);
		return part === undefined ? block : `<!-- made: ${name} -->\n\n${part}\n\n<!-- end -->`;
	});
	for (const name of wanted) problems.push(`it has no <!-- made: ${name} --> … <!-- end -->`);
	return { text, problems };
}
