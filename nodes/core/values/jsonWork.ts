const [QUOTE, BACKSLASH] = Buffer.from('"\\');
/** Some milliseconds of work. */
const SLICE_BYTES = 500_000;

/**
 * Counts the bytes outside of texts before JSON is parsed: parsing cannot be interrupted, and its time goes by these, while
 * a text is copied whole. Between slices it yields.
 */
export function* countJsonWork(content: Uint8Array): Generator<void, number, void> {
	let count = 0;
	let isInText = false;
	let pause = SLICE_BYTES;
	for (let at = 0; at < content.length; at++) {
		if (at >= pause) {
			pause = at + SLICE_BYTES;
			yield;
		}
		const byte = content[at];
		if (byte === QUOTE) isInText = !isInText;
		// An escaped byte ends no text.
		else if (isInText && byte === BACKSLASH) at++;
		if (!isInText || byte === QUOTE) count++;
	}
	return count;
}
