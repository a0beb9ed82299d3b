import { invalidAbi } from './elementary';

export interface Token {
	readonly text: string;
	readonly isWord: boolean;
	/** Nothing that a declaration of the ABI holds. */
	readonly isForeign: boolean;
	readonly startsLine: boolean;
	/** How many characters its line begins with before the first token. */
	readonly indent: number;
}

const PARTS =
	/(?<space>\s+|\/\/.*|\/\*[^]*?\*\/)|(?<open>\/\*)|(?<word>[a-z_$][\w$.]*)|\d+|[()[\]{},;]|(?<foreign>"[^"\n]*"|'[^'\n]*'|[^])/gi;

export function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	let startsLine = true;
	let indent = 0;
	for (const match of text.matchAll(PARTS)) {
		const [part] = match;
		const { space, open, word, foreign } = match.groups ?? {};
		if (open !== undefined) return invalidAbi('a comment is not closed');
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

const END: Token = { text: '', isWord: false, isForeign: false, startsLine: true, indent: 0 };

/** What is left of them to read. */
export class Tokens {
	private place = 0;

	constructor(private readonly tokens: readonly Token[]) {}

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

	takeIf(text: string): boolean {
		const isIt = this.next.text === text;
		if (isIt) this.place++;
		return isIt;
	}

	expect(text: string): void {
		if (!this.takeIf(text)) invalidAbi(`expected '${text}' but found ${this.found}`);
	}

	/** `(First, Second)`, brackets in it included; nothing else. */
	skipBrackets(): void {
		if (this.next.text !== '(') return;
		let depth = 0;
		do {
			const { text } = this.take();
			if (text === '(') depth++;
			if (text === ')') depth--;
		} while (depth > 0 && !this.isAtEnd);
	}

	/** The next token, for errors. */
	get found(): string {
		return this.isAtEnd ? 'the end' : `'${this.next.text}'`;
	}
}
