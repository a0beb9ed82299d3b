/**
 * Stands in for Uint8Array.prototype.toBase64, which Node has from version 25 on. Without it the protobuf library
 * builds its text letter by letter, and an answer of 64 MB would need more memory than n8n has.
 */
export function toBase64({ alphabet, omitPadding }) {
	const text = Buffer.from(this.buffer, this.byteOffset, this.length).toString(alphabet);
	return omitPadding ? text.replace(/=+$/, '') : text;
}
