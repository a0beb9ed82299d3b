import { invalidAbi } from './elementary';
import { tokensOf, type Token } from './tokens';

/** A statement of Solidity, or a signature without a keyword. */
export interface Declaration {
	/** Empty for a signature without one. */
	readonly keyword: string;
	/** Empty where there is no name. */
	readonly name: string;
	/** The contract, interface or library around it, or empty. */
	readonly scope: string;
	/** All that stands behind the name. */
	readonly rest: readonly Token[];
}

export const MAX_TEXT_CHARS = 100_000;
const CONTRACTS = ['contract', 'interface', 'library', 'abstract'];
const KEYWORDS = ['function', 'event', 'error', 'struct', 'enum', 'type', ...CONTRACTS];

/** They may stand behind the arguments of a function. */
export const MODIFIERS = [
	...['external', 'public', 'internal', 'private'],
	...['pure', 'view', 'payable', 'nonpayable', 'constant', 'virtual'],
];

/** They start nothing, even on a line of their own with brackets behind them. */
const CONTINUING = [...MODIFIERS, 'override', 'returns', 'anonymous'];

/** They declare nothing. */
const SKIPPED = ['pragma', 'import', 'using'];

/** What one of them holds does not hide the others. */
export function declarationsIn(text: string): Declaration[] {
	if (text.length > MAX_TEXT_CHARS)
		return invalidAbi(`it is longer than ${MAX_TEXT_CHARS} characters`);
	const tokens = tokensOf(text);
	const declarations: Declaration[] = [];
	let scope = '';
	let end = 0;
	for (let start = 0; start < tokens.length; start = end) {
		const first = textAt(tokens, start);
		end = first === ';' || first === '}' ? start + 1 : endOf(tokens, start);
		if (first === '}') scope = '';
		if (first === ';' || first === '}' || isSkipped(tokens, start)) continue;
		const declaration = declarationOf(tokens.slice(start, end), scope);
		declarations.push(declaration);
		const isOpened = CONTRACTS.includes(declaration.keyword) && textAt(tokens, end - 1) === '{';
		if (isOpened) scope = declaration.name;
	}
	return declarations;
}

function declarationOf(tokens: readonly Token[], scope: string): Declaration {
	const [first, second] = tokens;
	if (first?.text === 'abstract' && isDeclared(tokens, 1))
		return declarationOf(tokens.slice(1), scope);
	if (first && second && isDeclared(tokens, 0))
		return { keyword: first.text, name: second.text, scope, rest: tokens.slice(2) };
	return first?.isWord
		? { keyword: '', name: first.text, scope, rest: tokens.slice(1) }
		: { keyword: '', name: '', scope, rest: tokens };
}

/** Where the declaration that starts here ends: without its semicolon, with its block in braces. */
function endOf(tokens: readonly Token[], start: number): number {
	if (isSkipped(tokens, start)) return endOfSkipped(tokens, start);
	const isContract = isDeclared(tokens, start) && CONTRACTS.includes(textAt(tokens, start));
	let depth = 0;
	for (let at = start; at < tokens.length; at++) {
		const text = textAt(tokens, at);
		if (text === ';' || text === '}' || startsAnother(tokens, start, at, depth)) return at;
		if (text === '{') return isContract ? at + 1 : endOfBlock(tokens, at);
		depth += depthOf(text, '(', ')');
	}
	return tokens.length;
}

/** Of signatures without a semicolon, and after one that lacks a closing bracket. */
function startsAnother(tokens: readonly Token[], start: number, at: number, depth: number) {
	const [first, previous, token] = [tokens[start], tokens[at - 1], tokens[at]];
	const isNamed = isDeclared(tokens, start);
	if (!first || !token || at <= (isNamed ? start + 1 : start)) return false;
	if (isDeclared(tokens, at)) return depth <= 0 || token.startsLine;
	const isLine = token.startsLine && token.isWord && textAt(tokens, at + 1) === '(';
	if (depth > 0 || !isLine || CONTINUING.includes(token.text)) return false;
	const isBase = previous?.text === ',' || previous?.text === 'is';
	const isModifier = isNamed && first.text === 'function' && token.indent > first.indent;
	return !isBase && !isModifier;
}

function endOfSkipped(tokens: readonly Token[], start: number): number {
	let end = start;
	while (end < tokens.length && textAt(tokens, end) !== ';') end++;
	return end;
}

function endOfBlock(tokens: readonly Token[], start: number): number {
	let depth = 0;
	for (let at = start; at < tokens.length; at++) {
		depth += depthOf(textAt(tokens, at), '{', '}');
		if (depth === 0) return at + 1;
	}
	return tokens.length;
}

function depthOf(text: string, opening: string, closing: string): number {
	if (text === opening) return 1;
	return text === closing ? -1 : 0;
}

/** A function may be called `event`, or `struct`: a keyword is followed by a name. */
function isDeclared(tokens: readonly Token[], at: number): boolean {
	return KEYWORDS.includes(textAt(tokens, at)) && tokens[at + 1]?.isWord === true;
}

function isSkipped(tokens: readonly Token[], at: number): boolean {
	return SKIPPED.includes(textAt(tokens, at)) && textAt(tokens, at + 1) !== '(';
}

function textAt(tokens: readonly Token[], at: number): string {
	return tokens[at]?.text ?? '';
}
