import { invalidAbiError } from './elementary';

export interface Token {
	readonly text: string;
	readonly isWord: boolean;
	/** Whether no declaration of an ABI may contain this text, such as a quoted string. */
	readonly isForeign: boolean;
	readonly startsLine: boolean;
	/** The indentation of the line that begins with this token. */
	readonly indent: number;
}

const TOKEN_PATTERN =
	/(?<space>\s+|\/\/.*|\/\*[^]*?\*\/)|(?<open>\/\*)|(?<word>[a-z_$][\w$.]*)|\d+|[()[\]{},;]|(?<foreign>"[^"\n]*"|'[^'\n]*'|[^])/gi;

export function tokenize(text: string): Token[] {
	const tokens: Token[] = [];
	let startsLine = true;
	let indent = 0;
	for (const match of text.matchAll(TOKEN_PATTERN)) {
		const [part] = match;
		const { space, open, word, foreign } = match.groups ?? {};
		if (open !== undefined) throw invalidAbiError('a comment is not closed');
		if (space === undefined) {
			const [isWord, isForeign] = [word !== undefined, foreign !== undefined];
			tokens.push({ text: part, isWord, isForeign, startsLine, indent });
			startsLine = false;
		} else if (part.includes('\n')) {
			startsLine = true;
			indent = part.length - part.lastIndexOf('\n') - 1;
		} else if (startsLine) indent += part.length;
	}
	return tokens;
}

const END_TOKEN: Token = { text: '', isWord: false, isForeign: false, startsLine: true, indent: 0 };

/** Reads tokens one after another. */
export class TokenStream {
	private index = 0;

	constructor(private readonly tokens: readonly Token[]) {}

	get next(): Token {
		return this.tokens[this.index] ?? END_TOKEN;
	}

	get afterNext(): Token {
		return this.tokens[this.index + 1] ?? END_TOKEN;
	}

	get isAtEnd(): boolean {
		return this.next === END_TOKEN;
	}

	take(): Token {
		const token = this.next;
		this.index++;
		return token;
	}

	takeIf(text: string): boolean {
		const isIt = this.next.text === text;
		if (isIt) this.index++;
		return isIt;
	}

	takeExpected(text: string): void {
		if (!this.takeIf(text))
			throw invalidAbiError(`expected '${text}' but found ${this.nextForErrors}`);
	}

	/** Skips brackets and all that is in them, such as `(First, Second)`. Without an opening bracket, nothing is skipped. */
	skipBrackets(): void {
		if (this.next.text !== '(') return;
		let depth = 0;
		do {
			const { text } = this.take();
			if (text === '(') depth++;
			if (text === ')') depth--;
		} while (depth > 0 && !this.isAtEnd);
	}

	/** The next token, in the form in which error messages show it. */
	get nextForErrors(): string {
		return this.isAtEnd ? 'the end' : `'${this.next.text}'`;
	}
}
