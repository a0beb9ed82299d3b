import { withKeys } from '../../values/namedValues';
import {
	buildListCodec,
	buildTupleCodec,
	type DeclaredParameter,
	type AbiParameter,
} from './composed';
import { getElementaryCodec, invalidAbiError, isElementaryType, type AbiCodec } from './elementary';
import type { TokenStream } from './lexer';
import { raise } from '../../errors/raise';

/** Returns the type that is declared as `name`, if any. `depth` counts the tuples and lists in which the type is nested. */
export type ResolveType = (name: string, depth: number) => AbiCodec | undefined;

/** How deep tuples and lists may nest. */
const MAX_TYPE_DEPTH = 16;

/** Data locations are ignored. */
const DATA_LOCATIONS = ['memory', 'calldata', 'storage'];

/** `(address to, uint256 amount)` */
export function parseParameterList(
	tokens: TokenStream,
	named: ResolveType,
	depth = 0,
): readonly AbiParameter[] {
	tokens.takeExpected('(');
	const declared: DeclaredParameter[] = [];
	while (!tokens.takeIf(')')) {
		if (declared.length > 0) tokens.takeExpected(',');
		declared.push(parseParameter(tokens, named, depth));
	}
	return withKeys(declared);
}

/** `address indexed to` */
export function parseParameter(
	tokens: TokenStream,
	named: ResolveType,
	depth: number,
): DeclaredParameter {
	const type = parseType(tokens, named, depth);
	let name = '';
	let isIndexed = false;
	while (tokens.next.isWord) {
		const { text } = tokens.take();
		if (text === 'indexed') isIndexed = true;
		else if (DATA_LOCATIONS.includes(text)) continue;
		else if (isElementaryType(text)) throw invalidAbiError(`expected ',' but found '${text}'`);
		else if (name === '') name = text;
		else throw invalidAbiError(`'${name} ${text}' is one word too many`);
	}
	return { name, type, isIndexed };
}

function parseType(tokens: TokenStream, named: ResolveType, depth: number): AbiCodec {
	if (tokens.next.text === 'tuple' && tokens.afterNext.text === '(') tokens.take();
	const isTuple = tokens.next.text === '(';
	if (!isTuple && !tokens.next.isWord)
		throw invalidAbiError(`expected a type but found ${tokens.nextForErrors}`);
	const within = increaseDepth(depth);
	const item = isTuple
		? buildTupleCodec(parseParameterList(tokens, named, within))
		: resolveType(tokens.take().text, named, within);
	if (item.form === 'address') tokens.takeIf('payable');
	return parseListSuffixes(tokens, item, within);
}

function resolveType(name: string, named: ResolveType, depth: number): AbiCodec {
	const declared = isElementaryType(name) ? undefined : named(name, depth);
	return declared ?? getElementaryCodec(name);
}

/** Parses the list suffixes of a type, such as `[]` and `[3]`. */
export function parseListSuffixes(tokens: TokenStream, item: AbiCodec, depth: number): AbiCodec {
	if (!tokens.takeIf('[')) return item;
	const within = increaseDepth(depth);
	if (tokens.takeIf(']')) return parseListSuffixes(tokens, buildListCodec(item), within);
	const { text } = tokens.next;
	if (!/^\d{1,9}$/.test(text))
		throw invalidAbiError(`expected the length of a list but found ${tokens.nextForErrors}`);
	tokens.take();
	tokens.takeExpected(']');
	return parseListSuffixes(tokens, buildListCodec(item, Number(text)), within);
}

export function increaseDepth(depth: number): number {
	return depth < MAX_TYPE_DEPTH
		? depth + 1
		: raise(invalidAbiError(`types are nested more than ${MAX_TYPE_DEPTH} deep`));
}
