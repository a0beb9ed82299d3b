import { abiListOf, abiTupleOf, keyed, type Declared, type Parameter } from './composed';
import { elementary, invalidAbi, isElementary, type AbiType } from './elementary';
import type { Tokens } from './tokens';

/** The type that was declared under this name, if one was. `depth` is how many tuples and lists are around it. */
export type NamedType = (name: string, depth: number) => AbiType | undefined;

/** Of tuples and lists. */
const DEEPEST = 16;

/** Data locations, ignored. */
const LOCATIONS = ['memory', 'calldata', 'storage'];

/** `(address to, uint256 amount)` */
export function parameterList(tokens: Tokens, named: NamedType, depth = 0): readonly Parameter[] {
	tokens.expect('(');
	const declared: Declared[] = [];
	while (!tokens.takeIf(')')) {
		if (declared.length > 0) tokens.expect(',');
		declared.push(parameter(tokens, named, depth));
	}
	return keyed(declared);
}

/** `address indexed to` */
export function parameter(tokens: Tokens, named: NamedType, depth: number): Declared {
	const type = typeAt(tokens, named, depth);
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

function typeAt(tokens: Tokens, named: NamedType, depth: number): AbiType {
	if (tokens.next.text === 'tuple' && tokens.afterNext.text === '(') tokens.take();
	const isTuple = tokens.next.text === '(';
	if (!isTuple && !tokens.next.isWord)
		return invalidAbi(`expected a type but found ${tokens.found}`);
	const within = deeper(depth);
	const item = isTuple
		? abiTupleOf(parameterList(tokens, named, within))
		: typeNamed(tokens.take().text, named, within);
	if (item.form === 'address') tokens.takeIf('payable');
	return lists(tokens, item, within);
}

function typeNamed(name: string, named: NamedType, depth: number): AbiType {
	const declared = isElementary(name) ? undefined : named(name, depth);
	return declared ?? elementary(name);
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
