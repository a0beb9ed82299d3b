import { invalidAbiError } from './elementary';
import { tokenize, type Token } from './lexer';

/** A declaration of Solidity, or a signature without a keyword. */
export interface Declaration {
	/** Empty for a signature without one. */
	readonly keyword: string;
	/** The name, which is empty for a declaration without a name. */
	readonly name: string;
	/** The contract, interface or library around it, or empty. */
	readonly scope: string;
	/** Everything after the name. */
	readonly rest: readonly Token[];
}

export const MAX_TEXT_CHARS = 100_000;
const CONTRACT_KEYWORDS = ['contract', 'interface', 'library', 'abstract'];
const DECLARATION_KEYWORDS = [
	'function',
	'event',
	'error',
	'struct',
	'enum',
	'type',
	...CONTRACT_KEYWORDS,
];

/** The words that may follow the arguments of a function. */
export const FUNCTION_MODIFIERS = [
	'external',
	'public',
	'internal',
	'private',
	'pure',
	'view',
	'payable',
	'nonpayable',
	'constant',
	'virtual',
];

/** The words which say that a function only reads. */
export const VIEW_WORDS = ['view', 'pure', 'constant'];

/** Words that start no declaration, even at the beginning of a line and before brackets. */
const CONTINUING_WORDS = [...FUNCTION_MODIFIERS, 'override', 'returns', 'anonymous'];

/** Statements of Solidity that declare nothing, and are skipped. */
const SKIPPED_KEYWORDS = ['pragma', 'import', 'using'];

/** An invalid declaration does not affect the others. */
export function parseDeclarations(text: string): Declaration[] {
	if (text.length > MAX_TEXT_CHARS)
		throw invalidAbiError(`it is longer than ${MAX_TEXT_CHARS} characters`);
	const tokens = tokenize(text);
	const declarations: Declaration[] = [];
	let scope = '';
	let end = 0;
	for (let start = 0; start < tokens.length; start = end) {
		const first = getTokenText(tokens, start);
		end = first === ';' || first === '}' ? start + 1 : findDeclarationEnd(tokens, start);
		if (first === '}') scope = '';
		if (first === ';' || first === '}' || isSkippedStatement(tokens, start)) continue;
		const declaration = parseDeclaration(tokens.slice(start, end), scope);
		declarations.push(declaration);
		const isOpened =
			CONTRACT_KEYWORDS.includes(declaration.keyword) && getTokenText(tokens, end - 1) === '{';
		if (isOpened) scope = declaration.name;
	}
	return declarations;
}

function parseDeclaration(tokens: readonly Token[], scope: string): Declaration {
	const [first, second] = tokens;
	if (first?.text === 'abstract' && isDeclarationStart(tokens, 1))
		return parseDeclaration(tokens.slice(1), scope);
	if (first && second && isDeclarationStart(tokens, 0))
		return { keyword: first.text, name: second.text, scope, rest: tokens.slice(2) };
	return first?.isWord
		? { keyword: '', name: first.text, scope, rest: tokens.slice(1) }
		: { keyword: '', name: '', scope, rest: tokens };
}

/** Finds the end of the declaration that begins at `start`. A block in braces belongs to it, a semicolon does not. */
function findDeclarationEnd(tokens: readonly Token[], start: number): number {
	if (isSkippedStatement(tokens, start)) return findSkippedEnd(tokens, start);
	const isContract =
		isDeclarationStart(tokens, start) && CONTRACT_KEYWORDS.includes(getTokenText(tokens, start));
	let depth = 0;
	for (let at = start; at < tokens.length; at++) {
		const text = getTokenText(tokens, at);
		if (text === ';' || text === '}' || startsNextDeclaration(tokens, start, at, depth)) return at;
		if (text === '{') return isContract ? at + 1 : findBlockEnd(tokens, at);
		depth += getDepthChange(text, '(', ')');
	}
	return tokens.length;
}

/** Whether another declaration begins at `at`. Signatures may lack semicolons between them, and even a closing bracket. */
function startsNextDeclaration(tokens: readonly Token[], start: number, at: number, depth: number) {
	const [first, previous, token] = [tokens[start], tokens[at - 1], tokens[at]];
	const isNamed = isDeclarationStart(tokens, start);
	if (!first || !token || at <= (isNamed ? start + 1 : start)) return false;
	if (isDeclarationStart(tokens, at)) return depth <= 0 || token.startsLine;
	const isLine = token.startsLine && token.isWord && getTokenText(tokens, at + 1) === '(';
	if (depth > 0 || !isLine || CONTINUING_WORDS.includes(token.text)) return false;
	const isBase = previous?.text === ',' || previous?.text === 'is';
	const isModifier = isNamed && first.text === 'function' && token.indent > first.indent;
	return !isBase && !isModifier;
}

function findSkippedEnd(tokens: readonly Token[], start: number): number {
	let end = start;
	while (end < tokens.length && getTokenText(tokens, end) !== ';') end++;
	return end;
}

function findBlockEnd(tokens: readonly Token[], start: number): number {
	let depth = 0;
	for (let at = start; at < tokens.length; at++) {
		depth += getDepthChange(getTokenText(tokens, at), '{', '}');
		if (depth === 0) return at + 1;
	}
	return tokens.length;
}

function getDepthChange(text: string, opening: string, closing: string): number {
	if (text === opening) return 1;
	return text === closing ? -1 : 0;
}

/** A keyword starts a declaration only if a name follows it, because functions may be named `event` or `struct`. */
function isDeclarationStart(tokens: readonly Token[], at: number): boolean {
	return DECLARATION_KEYWORDS.includes(getTokenText(tokens, at)) && tokens[at + 1]?.isWord === true;
}

function isSkippedStatement(tokens: readonly Token[], at: number): boolean {
	return (
		SKIPPED_KEYWORDS.includes(getTokenText(tokens, at)) && getTokenText(tokens, at + 1) !== '('
	);
}

function getTokenText(tokens: readonly Token[], at: number): string {
	return tokens[at]?.text ?? '';
}
