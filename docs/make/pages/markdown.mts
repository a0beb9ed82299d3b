const FENCE_PATTERN = /^```[^]*?^```/gm;
const CODE_PATTERN = /`[^`\n]*`/g;

/** The targets of a page's links and pictures. */
export function getLinks(markdown: string): readonly string[] {
	const text = markdown.replace(FENCE_PATTERN, '').replace(CODE_PATTERN, '');
	const found = [
		...text.matchAll(/\]\(<?([^)\s>]+)/g),
		...text.matchAll(/\b(?:src|srcset|href)="([^"\s]+)/g),
	];
	return found.map(([, link = '']) => link);
}

/** The anchors that a link may name after `#`: the headings, as they are spelled in addresses. */
export function getAnchors(markdown: string): ReadonlySet<string> {
	const headings = markdown.replace(FENCE_PATTERN, '').matchAll(/^#{1,6} (.+)$/gm);
	return new Set([...headings].map(([, heading = '']) => toAnchor(heading)));
}

function toAnchor(heading: string): string {
	const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
	return kept.trim().replace(/\s/g, '-');
}

/** The file of the repository to which a link to its address leads, with the heading; undefined for a link elsewhere. */
export function getRepositoryPath(link: string, address: string): string | undefined {
	if (!link.startsWith(address)) return undefined;
	const rest = link.slice(address.length);
	if (!rest.startsWith('/')) return /^(#|$)/.test(rest) ? `README.md${rest}` : undefined;
	return rest.replace(/^\/(blob|raw)\/HEAD\//, '');
}
