const COMMENT = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/.source;
const STRING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'/.source;
/** With what divides it from its number. */
const MINUS = `-(?:\\s|${COMMENT})+`;
/** protobufjs drops what has this name. */
const DROPPED = '__proto__';
const PIECES = new RegExp([COMMENT, STRING, MINUS, `\\b${DROPPED}\\b`].join('|'), 'g');

/** Stands for the name in the parser. */
const STAND_IN = '__proto__stand_in__';

/** The same file, line by line, without what protobufjs reads wrong. */
export function readable(content: string): string {
	return content.replace(PIECES, (piece) => {
		if (piece.startsWith('-')) return `${piece.slice(1)}-`;
		if (piece === DROPPED) return STAND_IN;
		return piece.startsWith('/') || !piece.includes('\\') ? piece : plainString(piece);
	});
}

/** What was readable, as it was written. */
export function asWritten(text: string): string {
	return text.replaceAll(STAND_IN, DROPPED);
}

/** What the file says of itself, or what it is when it says nothing. */
export function syntaxIn(content: string): string {
	const strings: string[] = [];
	const bare = content.replace(PIECES, (piece) =>
		/^["']/.test(piece) ? `"${strings.push(piece.slice(1, -1)) - 1}"` : ' ',
	);
	const [, parts = ''] = /(?:^|;)\s*(?:syntax|edition)\s*=((?:\s*"\d+")+)/.exec(bare) ?? [];
	const syntax = Array.from(parts.matchAll(/\d+/g), ([index]) => strings[Number(index)]).join('');
	return syntax || 'proto2';
}

const ESCAPES =
	/\\(?:[xX]([\da-fA-F]{1,2})|([0-7]{1,3})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4}))|((?:\\u[\da-fA-F]{4})+)|\\(.)|[^\\]+/gu;

const SIGNS: Readonly<Record<string, string>> = {
	...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

/** A string whose escapes are resolved, but for backslashes, in as many strings as it has kinds of quotes. */
function plainString(literal: string): string {
	const bytes = Array.from(literal.slice(1, -1).matchAll(ESCAPES), bytesOf);
	const text = Buffer.concat(bytes).toString().replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
	const parts = text.match(/"[^']*|[^"]+/g) ?? [''];
	return parts.map((part) => (part.includes('"') ? `'${part}'` : `"${part}"`)).join(' ');
}

/** Hexadecimal and octal escapes are bytes, of UTF-8 in the end; others are characters, or halves of one. */
function bytesOf([all, hex, octal, point, units, sign]: RegExpExecArray): Buffer {
	if (hex !== undefined) return Buffer.of(parseInt(hex, 16));
	if (octal !== undefined) return Buffer.of(parseInt(octal, 8) & 255);
	if (point !== undefined) return Buffer.from(String.fromCodePoint(parseInt(point, 16)));
	if (units !== undefined) return Buffer.from(JSON.parse(`"${units}"`) as string);
	return Buffer.from(sign === undefined ? all : (SIGNS[sign] ?? sign));
}
