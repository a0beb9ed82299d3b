import { abiListOf, abiTupleOf } from '../types/composed';
import { elementary } from '../types/elementary';
import { mistake } from '../types/mistake';
import { keyed, type Declared, type Parameter } from '../types/parameter';
import { Tokens } from './tokens';
import type { AbiType } from '../types/type';

/** How deep tuples and lists may be nested. */
const DEEPEST = 16;

/** Where data stands while a contract runs; says nothing about the type. */
const LOCATIONS = ['memory', 'calldata', 'storage'];

/** `(address to, uint256 amount)` */
export function parameterList(tokens: Tokens, depth = 0): readonly Parameter[] {
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
		else if (name === '') name = text;
		else return mistake(`'${name} ${text}' is one word too many`);
	}
	return { name, type, isIndexed };
}

function typeAt(tokens: Tokens, depth: number): AbiType {
	if (tokens.next.text === 'tuple' && tokens.afterNext.text === '(') tokens.take();
	const isTuple = tokens.next.text === '(';
	if (!isTuple && !tokens.next.isWord) return mistake(`expected a type but found ${tokens.found}`);
	const within = deeper(depth);
	const item = isTuple ? abiTupleOf(parameterList(tokens, within)) : elementary(tokens.take().text);
	if (item.form === 'address') tokens.takeIf('payable');
	return lists(tokens, item, within);
}

/** The brackets behind a type. */
export function lists(tokens: Tokens, item: AbiType, depth: number): AbiType {
	if (!tokens.takeIf('[')) return item;
	const within = deeper(depth);
	if (tokens.takeIf(']')) return lists(tokens, abiListOf(item), within);
	const { text } = tokens.next;
	if (!/^\d{1,9}$/.test(text))
		return mistake(`expected the length of a list but found ${tokens.found}`);
	tokens.take();
	tokens.expect(']');
	return lists(tokens, abiListOf(item, Number(text)), within);
}

export function deeper(depth: number): number {
	return depth < DEEPEST ? depth + 1 : mistake(`types are nested more than ${DEEPEST} deep`);
}
