import { catching, InvalidValue } from '../../values/parse';
import type { AbiParameter } from './composed';
import {
	parseDeclarations,
	MAX_TEXT_CHARS,
	FUNCTION_MODIFIERS,
	VIEW_WORDS,
	type Declaration,
} from './declarations';
import { invalidAbiError } from './elementary';
import { checkEntry, parseItemOrProblem, type ParsedAbiItem, type AbiItemKind } from './entry';
import { NamedTypes } from './namedTypes';
import { parseParameterList, type ResolveType } from './parameters';
import { TokenStream } from './lexer';

/** Limits the total length of all signatures, in characters. */
const MAX_CHARS = 500_000;
const MAX_DECLARATIONS = 10_000;

const DECLARABLE_KINDS: readonly AbiItemKind[] = ['function', 'event', 'error'];

/**
 * Parses functions, events and errors of Solidity, with structs that any of the texts declares. A signature without a
 * keyword is of `kind`.
 */
export function parseSignatures(texts: readonly string[], kind: AbiItemKind): ParsedAbiItem[] {
	throwIfTooLong(texts);
	const read = texts.map((text) => catching(InvalidValue, () => parseDeclarations(text)));
	const declarations = read.flatMap((one) => (one instanceof InvalidValue ? [] : one));
	if (declarations.length > MAX_DECLARATIONS)
		throw invalidAbiError(`it has more than ${MAX_DECLARATIONS} declarations`);
	const types = new NamedTypes(declarations);
	return read.flatMap((one) =>
		one instanceof InvalidValue
			? [{ kind: kind, name: '', problem: one.message }]
			: one.flatMap((declaration) => parseDeclaredItem(declaration, kind, types)),
	);
}

/**
 * Throws if the texts together are too long. A single text above its own limit does not count, because it is never
 * parsed.
 */
function throwIfTooLong(texts: readonly string[]): void {
	const read = texts.filter(({ length }) => length <= MAX_TEXT_CHARS);
	const length = read.reduce((sum, text) => sum + text.length, 0);
	if (length > MAX_CHARS) throw invalidAbiError(`its texts have more than ${MAX_CHARS} characters`);
}

function parseDeclaredItem(
	declaration: Declaration,
	bare: AbiItemKind,
	types: NamedTypes,
): ParsedAbiItem[] {
	const { keyword, name, scope, rest } = declaration;
	const kind =
		keyword === ''
			? getUndeclaredKind(name, bare)
			: DECLARABLE_KINDS.find((one) => one === keyword);
	if (!kind || isNeverCalled(declaration)) return [];
	return [
		parseItemOrProblem(kind, isCallable(declaration) ? name : '', () => {
			const tokens = new TokenStream(rest);
			if (name === '') throw invalidAbiError(`expected a name but found ${tokens.nextForErrors}`);
			if (keyword === '' && name === 'function')
				throw invalidAbiError(`expected a name but found '${name}'`);
			if (kind === 'constructor' && name !== kind)
				throw invalidAbiError(`'${name}' is a function and no constructor`);
			checkNoForeignTokens(declaration);
			const named = types.createResolver(scope);
			const inputs = parseParameterList(tokens, named);
			return checkEntry({ kind, name, inputs, ...parseEnding(tokens, named, keyword) });
		}),
	];
}

function getUndeclaredKind(name: string, kind: AbiItemKind): AbiItemKind {
	return name === 'constructor' ? name : kind;
}

/** Whether the declaration is a function, an event or an error, unlike a variable for example. */
function isCallable({ keyword, name, rest }: Declaration): boolean {
	return keyword !== '' || (rest[0]?.text === '(' && name !== 'mapping');
}

/** Whether the signature is a `receive()` or `fallback()` of a contract, which callers never name. */
function isNeverCalled({ keyword, name, rest }: Declaration): boolean {
	if (keyword !== '') return false;
	const isEmpty = rest[1]?.text === ')';
	const isExternal = rest.some(({ text }) => text === 'external');
	if (name === 'fallback') return isEmpty || isExternal;
	return name === 'receive' && isEmpty;
}

/**
 * Refuses characters that no signature may have. A body in braces is not searched: it is refused later, whatever it
 * contains.
 */
function checkNoForeignTokens({ rest }: Declaration): void {
	const found = rest.find(({ text, isForeign }) => isForeign || text === '{');
	if (found?.isForeign) throw invalidAbiError(`'${found.text}' is not allowed in a signature`);
}

/** Parses the end of a function, such as `external view returns (uint256)`, or only its outputs. */
function parseEnding(tokens: TokenStream, named: ResolveType, keyword: string) {
	let outputs: readonly AbiParameter[] | undefined;
	let isAnonymous = false;
	const modifiers: string[] = [];
	while (!tokens.isAtEnd) {
		const { text } = tokens.next;
		if (text === '(' || tokens.takeIf('returns')) {
			if (outputs) throw invalidAbiError('its outputs are declared twice');
			outputs = parseParameterList(tokens, named);
		} else if (tokens.takeIf('anonymous')) isAnonymous = true;
		else if (text === 'override' || (keyword === 'function' && isCustomModifier(tokens))) {
			tokens.take();
			tokens.skipBrackets();
		} else if (FUNCTION_MODIFIERS.includes(text)) modifiers.push(tokens.take().text);
		else throw invalidAbiError(`${tokens.nextForErrors} is not allowed after the arguments`);
	}
	return {
		outputs: outputs ?? [],
		isAnonymous,
		isPayable: isPayable(modifiers, keyword),
		isView: isView(modifiers, keyword),
	};
}

/** Whether a function takes coins, which requires the word `payable`; undefined for a signature without any words. */
function isPayable(modifiers: readonly string[], keyword: string): boolean | undefined {
	if (modifiers.includes('payable')) return true;
	return keyword === '' && modifiers.length === 0 ? undefined : false;
}

/** Whether a function only reads, which requires a word such as `view`; undefined for a signature without any words. */
function isView(modifiers: readonly string[], keyword: string): boolean | undefined {
	if (modifiers.some((word) => VIEW_WORDS.includes(word))) return true;
	return keyword === '' && modifiers.length === 0 ? undefined : false;
}

/**
 * Accepts a custom modifier such as `onlyOwner` or `onlyRole(MINTER)` on a line of its own. Between other words, it
 * could be a misspelt `view` or `payable`.
 */
function isCustomModifier({ next }: TokenStream): boolean {
	return (
		next.startsLine &&
		next.isWord &&
		next.text !== 'return' &&
		!FUNCTION_MODIFIERS.includes(next.text)
	);
}
