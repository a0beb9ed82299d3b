/** Limits of another kind, which a smaller search does not help against. */
const OTHER_LIMIT =
	/\b(rate limit|per (second|minute|day|month)|quota|credits|compute units|invalid block range)\b|\b(max|many|of) (addresses|topics|parameters)\b|specify an address|rps limit/;

const CONTENTS =
	/returned? (more|too many)|returns too many|\b(max|too many|many|more than \d+) (results|logs|events|traces)\b|logs matched|response (is )?(size|too)|size (exceeded|limit)|body (is )?too|max results|time ?out|timed out|deadline exceeded|took too long|too expensive|\d bytes/;

const BLOCKS = /\b(range|ranges|span|distance|blocks|size)\b/;
const EXCESS =
	/exceed|\b(too|limit|limited|limits|max|maximum|greater|bigger|larger|smaller|wide|up to|at most|only|over|allowed|narrow|not supported)\b/;

/**
 * What a node says was too much about a search, in words of lower case: the blocks that it spans, or what it would have
 * found. There are twenty ways to say it, and no code that means it alone.
 */
export function searchLimitIn(words: string): 'blocks' | 'contents' | undefined {
	if (OTHER_LIMIT.test(words)) return undefined;
	if (CONTENTS.test(words)) return 'contents';
	return BLOCKS.test(words) && EXCESS.test(words) ? 'blocks' : undefined;
}
