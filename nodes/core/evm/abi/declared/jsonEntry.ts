import { isRecord } from '../../../values/parseJson';
import { abiTupleOf } from '../types/composed';
import { elementary } from '../types/elementary';
import { entryOf, type AbiEntry, type Kind } from './entry';
import { mistake } from '../types/mistake';
import { keyed, type Parameter } from '../types/parameter';
import { Tokens } from './tokens';
import { deeper, lists } from './typeText';
import type { AbiType } from '../types/type';

type Given = Readonly<Record<string, unknown>>;

const LONGEST_TYPE = 200;

/** An entry of a JSON ABI. */
export function jsonEntry(given: Given, kind: Kind): AbiEntry {
	return entryOf({
		kind,
		name: textOf(given.name),
		inputs: parameters(given.inputs),
		outputs: parameters(given.outputs),
		isAnonymous: given.anonymous === true,
	});
}

function parameters(given: unknown, depth = 0): readonly Parameter[] {
	if (given === undefined || given === null) return [];
	if (!Array.isArray(given) || !given.every(isRecord))
		return mistake('its inputs, outputs or components are not a list of objects');
	return keyed(
		given.map((one) => ({
			name: textOf(one.name),
			type: typeOf(one, depth),
			isIndexed: one.indexed === true,
		})),
	);
}

function typeOf(given: Given, depth: number): AbiType {
	const text = textOf(given.type);
	if (text.length > LONGEST_TYPE) return mistake('it has a type that is too long');
	const tokens = new Tokens(text);
	const name = tokens.take().text;
	const within = deeper(depth);
	const item =
		name === 'tuple' ? abiTupleOf(parameters(given.components, within)) : elementary(name);
	const type = lists(tokens, item, within);
	return tokens.isAtEnd ? type : mistake(`'${text}' is not an ABI type`);
}

function textOf(given: unknown): string {
	return typeof given === 'string' ? given : '';
}
