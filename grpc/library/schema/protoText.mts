const COMMENT_PATTERN = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/.source;
const STRING_PATTERN = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'/.source;
/** Matches a minus with everything between it and its number. */
const MINUS_PATTERN = `-(?:\\s|${COMMENT_PATTERN})+`;
/** protobufjs drops members of this name. */
const DROPPED_NAME = '__proto__';
const PIECE_PATTERN = new RegExp(
	[COMMENT_PATTERN, STRING_PATTERN, MINUS_PATTERN, `\\b${DROPPED_NAME}\\b`].join('|'),
	'g',
);

/** Replaces the name in the parser. */
const STAND_IN_NAME = '__proto__stand_in__';

/** Rewrites the file, line by line, without what protobufjs reads wrongly. */
export function toReadableProto(content: string): string {
	return content.replace(PIECE_PATTERN, (piece) => {
		if (piece.startsWith('-')) return `${piece.slice(1)}-`;
		if (piece === DROPPED_NAME) return STAND_IN_NAME;
		return piece.startsWith('/') || !piece.includes('\\') ? piece : resolveEscapes(piece);
	});
}

/** Restores the original text in an error message. */
export function restoreWritten(text: string): string {
	return text.replaceAll(STAND_IN_NAME, DROPPED_NAME);
}

/** Finds the syntax that the file declares, or the default. */
export function findSyntax(content: string): string {
	const strings: string[] = [];
	const bare = content.replace(PIECE_PATTERN, (piece) =>
		/^["']/.test(piece) ? `"${strings.push(piece.slice(1, -1)) - 1}"` : ' ',
	);
	const [, parts = ''] = /(?:^|;)\s*(?:syntax|edition)\s*=((?:\s*"\d+")+)/.exec(bare) ?? [];
	const syntax = Array.from(parts.matchAll(/\d+/g), ([index]) => strings[Number(index)]).join('');
	return syntax || 'proto2';
}

const ESCAPE_PATTERN =
	/\\(?:[xX]([\da-fA-F]{1,2})|([0-7]{1,3})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4}))|((?:\\u[\da-fA-F]{4})+)|\\(.)|[^\\]+/gu;

const ESCAPED_CHARACTERS: Readonly<Record<string, string>> = {
	a: '\x07',
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t',
	v: '\v',
};

/** Resolves the escapes of a string, except for backslashes; a string with both kinds of quotes becomes several strings. */
function resolveEscapes(literal: string): string {
	const bytes = Array.from(literal.slice(1, -1).matchAll(ESCAPE_PATTERN), decodeEscape);
	const text = Buffer.concat(bytes).toString().replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
	const parts = text.match(/"[^']*|[^"]+/g) ?? [''];
	return parts.map((part) => (part.includes('"') ? `'${part}'` : `"${part}"`)).join(' ');
}

/** Hexadecimal and octal escapes are bytes of UTF-8; others are characters, or halves of one. */
function decodeEscape([all, hex, octal, point, units, sign]: RegExpExecArray): Buffer {
	if (hex !== undefined) return Buffer.of(parseInt(hex, 16));
	if (octal !== undefined) return Buffer.of(parseInt(octal, 8) & 255);
	if (point !== undefined) return Buffer.from(String.fromCodePoint(parseInt(point, 16)));
	if (units !== undefined) return Buffer.from(JSON.parse(`"${units}"`) as string);
	return Buffer.from(sign === undefined ? all : (ESCAPED_CHARACTERS[sign] ?? sign));
}
