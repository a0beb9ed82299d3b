import { abiListOf, abiTupleOf, keyed, type Declared, type Parameter } from './composed';
import { elementary, invalidAbi, isElementary, type AbiType } from './elementary';
import { entryOf, type AbiEntry, type Kind } from './entry';

const LONGEST = 100_000;
const KINDS: readonly Kind[] = ['function', 'event', 'error'];

/** Ignored. */
const MODIFIERS = [
	...['external', 'public', 'internal', 'private'],
	...['pure', 'view', 'payable', 'nonpayable', 'constant', 'virtual'],
];

/** Not called by name. */
const UNNAMED = ['constructor', 'receive', 'fallback'];

/** Functions, events and errors as Solidity declares them; without a keyword, of the kind `bare`. */
export function signatures(text: string, bare: Kind): AbiEntry[] {
	if (text.length > LONGEST) return invalidAbi(`it is longer than ${LONGEST} characters`);
	const tokens = new Tokens(text);
	const entries: AbiEntry[] = [];
	while (!tokens.isAtEnd) {
		if (tokens.takeIf(';') || skipInterface(tokens)) continue;
		const entry = signature(tokens, bare);
		if (!UNNAMED.includes(entry.name)) entries.push(entry);
	}
	return entries;
}

/** `interface IToken is IBase {` or `}` */
function skipInterface(tokens: Tokens): boolean {
	if (tokens.takeIf('}')) return true;
	if (tokens.next.text !== 'interface' || !tokens.afterNext.isWord) return false;
	while (!tokens.isAtEnd && !tokens.takeIf('{')) tokens.take();
	return true;
}

function signature(tokens: Tokens, bare: Kind): AbiEntry {
	const declared = kindAt(tokens);
	const kind = declared ?? bare;
	const isNameless = !declared && tokens.next.text === 'function';
	if (isNameless || !tokens.next.isWord)
		return invalidAbi(`expected a name but found ${tokens.found}`);
	const name = tokens.take().text;
	const inputs = parameterList(tokens);
	return entryOf({ kind, name, inputs, ...rest(tokens) });
}

function kindAt(tokens: Tokens): Kind | undefined {
	const kind = KINDS.find((one) => one === tokens.next.text);
	if (!kind || !tokens.afterNext.isWord) return undefined;
	tokens.take();
	return kind;
}

/** `external view returns (uint256)`, or the outputs alone. */
function rest(tokens: Tokens) {
	let outputs: readonly Parameter[] | undefined;
	let isAnonymous = false;
	for (;;) {
		const { text, startsLine } = tokens.next;
		if (tokens.isAtEnd || text === ';') break;
		if (text === '(' || tokens.takeIf('returns')) {
			if (outputs) return invalidAbi('its outputs are declared twice');
			outputs = parameterList(tokens);
		} else if (tokens.takeIf('anonymous')) isAnonymous = true;
		else if (tokens.takeIf('override')) skipBrackets(tokens);
		else if (MODIFIERS.includes(text)) tokens.take();
		else if (startsLine || KINDS.some((kind) => kind === text)) break;
		else return invalidAbi(`${tokens.found} is not allowed after the arguments`);
	}
	return { outputs: outputs ?? [], isAnonymous };
}

/** `override(First, Second)` */
function skipBrackets(tokens: Tokens): void {
	if (!tokens.takeIf('(')) return;
	while (!tokens.isAtEnd && !tokens.takeIf(')')) tokens.take();
}

/** Of tuples and lists. */
const DEEPEST = 16;

/** Data locations, ignored. */
const LOCATIONS = ['memory', 'calldata', 'storage'];

/** `(address to, uint256 amount)` */
function parameterList(tokens: Tokens, depth = 0): readonly Parameter[] {
	tokens.expect('(');
	const declared: Declared[] = [];
	while (!tokens.takeIf(')')) {
		if (declared.length > 0) tokens.expect(',');
		declared.push(parameter(tokens, depth));
	}
	return keyed(declared);
}

function parameter(tokens: Tokens, depth: number): Declared {
	const type = typeAt(tokens, depth);
	let name = '';
	let isIndexed = false;
	while (tokens.next.isWord) {
		const { text } = tokens.take();
		if (text === 'indexed') isIndexed = true;
		else if (LOCATIONS.includes(text)) continue;
		else if (isElementary(text)) return invalidAbi(`expected ',' but found '${text}'`);
		else if (name === '') name = text;
		else return invalidAbi(`'${name} ${text}' is one word too many`);
	}
	return { name, type, isIndexed };
}

function typeAt(tokens: Tokens, depth: number): AbiType {
	if (tokens.next.text === 'tuple' && tokens.afterNext.text === '(') tokens.take();
	const isTuple = tokens.next.text === '(';
	if (!isTuple && !tokens.next.isWord)
		return invalidAbi(`expected a type but found ${tokens.found}`);
	const within = deeper(depth);
	const item = isTuple ? abiTupleOf(parameterList(tokens, within)) : elementary(tokens.take().text);
	if (item.form === 'address') tokens.takeIf('payable');
	return lists(tokens, item, within);
}

/** `[]` and `[3]` behind a type. */
export function lists(tokens: Tokens, item: AbiType, depth: number): AbiType {
	if (!tokens.takeIf('[')) return item;
	const within = deeper(depth);
	if (tokens.takeIf(']')) return lists(tokens, abiListOf(item), within);
	const { text } = tokens.next;
	if (!/^\d{1,9}$/.test(text))
		return invalidAbi(`expected the length of a list but found ${tokens.found}`);
	tokens.take();
	tokens.expect(']');
	return lists(tokens, abiListOf(item, Number(text)), within);
}

export function deeper(depth: number): number {
	return depth < DEEPEST ? depth + 1 : invalidAbi(`types are nested more than ${DEEPEST} deep`);
}

interface Token {
	readonly text: string;
	readonly isWord: boolean;
	readonly startsLine: boolean;
}

const PARTS = /(?<space>\s+|\/\/.*)|(?<word>[a-z_$][\w$.]*)|\d+|[()[\]{},;]|(?<other>[^])/gi;
const END: Token = { text: '', isWord: false, startsLine: true };

export class Tokens {
	private place = 0;
	private readonly tokens: readonly Token[];

	constructor(text: string) {
		this.tokens = tokensOf(withoutBlockComments(text));
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

	takeIf(text: string): boolean {
		const isIt = this.next.text === text;
		if (isIt) this.place++;
		return isIt;
	}

	expect(text: string): void {
		if (!this.takeIf(text)) invalidAbi(`expected '${text}' but found ${this.found}`);
	}

	/** The next token, for errors. */
	get found(): string {
		return this.isAtEnd ? 'the end' : `'${this.next.text}'`;
	}
}

function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	let startsLine = true;
	for (const match of text.matchAll(PARTS)) {
		const [part] = match;
		if (match.groups?.other) return invalidAbi(`'${part}' is not allowed in a signature`);
		const isSpace = match.groups?.space !== undefined;
		if (!isSpace) tokens.push({ text: part, isWord: match.groups?.word !== undefined, startsLine });
		startsLine = isSpace && (startsLine || part.includes('\n'));
	}
	return tokens;
}

function withoutBlockComments(text: string): string {
	const [before = '', ...others] = text.split('/*');
	const rest = others.map((part) => {
		const end = part.indexOf('*/');
		return end < 0 ? invalidAbi('a comment is not closed') : part.slice(end + 2);
	});
	return [before, ...rest].join(' ');
}
