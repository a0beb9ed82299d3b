import { mistake } from '../types/mistake';

export interface Token {
	readonly text: string;
	readonly isWord: boolean;
	/** Whether it is the first of its line. */
	readonly startsLine: boolean;
}

const PARTS = /(?<space>\s+|\/\/.*)|(?<word>[a-z_$][\w$.]*)|\d+|[()[\]{},;]|(?<other>[^])/gi;
const END: Token = { text: '', isWord: false, startsLine: true };

/** The words and marks of a text, one after another. */
export class Tokens {
	private place = 0;
	private readonly tokens: readonly Token[];

	constructor(text: string) {
		this.tokens = tokensOf(withoutComments(text));
	}

	get next(): Token {
		return this.tokens[this.place] ?? END;
	}

	get afterNext(): Token {
		return this.tokens[this.place + 1] ?? END;
	}

	get isAtEnd(): boolean {
		return this.next === END;
	}

	take(): Token {
		const token = this.next;
		this.place++;
		return token;
	}

	/** Takes the next token if it is this one. */
	takeIf(text: string): boolean {
		const isIt = this.next.text === text;
		if (isIt) this.place++;
		return isIt;
	}

	expect(text: string): void {
		if (!this.takeIf(text)) mistake(`expected '${text}' but found ${this.found}`);
	}

	/** The next token, as an error calls it. */
	get found(): string {
		return this.isAtEnd ? 'the end' : `'${this.next.text}'`;
	}
}

function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	let startsLine = true;
	for (const match of text.matchAll(PARTS)) {
		const [part] = match;
		if (match.groups?.other) return mistake(`'${part}' is not allowed in a signature`);
		const isSpace = match.groups?.space !== undefined;
		if (!isSpace) tokens.push({ text: part, isWord: match.groups?.word !== undefined, startsLine });
		startsLine = isSpace && (startsLine || part.includes('\n'));
	}
	return tokens;
}

/** Takes out block comments. */
function withoutComments(text: string): string {
	const [before = '', ...others] = text.split('/*');
	const rest = others.map((part) => {
		const end = part.indexOf('*/');
		return end < 0 ? mistake('a comment is not closed') : part.slice(end + 2);
	});
	return [before, ...rest].join(' ');
}
