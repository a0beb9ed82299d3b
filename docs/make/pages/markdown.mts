const FENCE_PATTERN = /^```[^]*?^```/gm;
const CODE_PATTERN = /`[^`\n]*`/g;

/** Returns the targets of links and pictures on a page. */
export function getLinks(markdown: string): readonly string[] {
	const text = markdown.replace(FENCE_PATTERN, '').replace(CODE_PATTERN, '');
	const found = [
		...text.matchAll(/\]\(<?([^)\s>]+)/g),
		...text.matchAll(/\b(?:src|srcset|href)="([^"\s]+)/g),
	];
	return found.map(([, link = '']) => link);
}

/** Returns the anchors of a page: its headings, spelled as in the part of an address after `#`. */
export function getAnchors(markdown: string): ReadonlySet<string> {
	const headings = markdown.replace(FENCE_PATTERN, '').matchAll(/^#{1,6} (.+)$/gm);
	return new Set([...headings].map(([, heading = '']) => toAnchor(heading)));
}

function toAnchor(heading: string): string {
	const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
	return kept.trim().replace(/\s/g, '-');
}

/**
 * Returns the file in the repository that a link to the documentation leads to, with the heading. Returns undefined for
 * other links.
 */
export function getRepositoryPath(link: string, address: string): string | undefined {
	if (!link.startsWith(address)) return undefined;
	const rest = link.slice(address.length);
	if (!rest.startsWith('/')) return /^(#|$)/.test(rest) ? `README.md${rest}` : undefined;
	return rest.replace(/^\/(blob|raw)\/HEAD\//, '');
}
