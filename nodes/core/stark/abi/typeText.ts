import { invalidAbiError, type Declared } from './codec';
import { raise } from '../../errors/raise';

/** The text of a type, split into its parts. */
export type TypeText =
	| { readonly form: 'tuple'; readonly members: readonly Declared[] }
	| { readonly form: 'fixedList'; readonly item: string; readonly length: number }
	| { readonly form: 'pointer' }
	| {
			readonly form: 'path';
			/** The full name with its generic arguments, as the ABI declares it. */
			readonly whole: string;
			readonly path: string;
			readonly args: readonly string[];
	  };

const MAX_LIST_LENGTH = 1_000_000;

/** Parses the text of a type. The parser of ABIs has already limited its length. */
export function parseTypeText(given: string): TypeText {
	// An `@` marks a snapshot, which is encoded like the value that it was taken of.
	const text = given.trim().replace(/^@+\s*/, '');
	if (text.endsWith('*')) return { form: 'pointer' };
	if (text.startsWith('(')) return { form: 'tuple', members: parseMembers(unwrap(text, ')')) };
	return text.startsWith('[') ? parseFixedList(unwrap(text, ']')) : parsePath(text);
}

function unwrap(text: string, end: string): string {
	return text.endsWith(end) ? text.slice(1, -1) : raise(invalidAbiError(`${text} is not a type`));
}

/** Parses the members of a tuple. In Cairo 0 they can have names, as in `(x : felt, y : felt)`. */
function parseMembers(text: string): Declared[] {
	return splitOutside(text, ',').map((member) => {
		const [, name = '', type = member] = /^\s*(\w+)\s*:(?!:)\s*([^]*)$/.exec(member) ?? [];
		return { name, type: type.trim() };
	});
}

function parseFixedList(text: string): TypeText {
	const [item = '', length = '', ...others] = splitOutside(text, ';');
	const isWhole = /^\s*\d{1,7}\s*$/.test(length) && Number(length) <= MAX_LIST_LENGTH;
	if (!isWhole || others.length > 0)
		throw invalidAbiError(`[${text}] is not a list of a known length`);
	return { form: 'fixedList', item: item.trim(), length: Number(length) };
}

function parsePath(text: string): TypeText {
	const start = text.indexOf('<');
	const path = (start < 0 ? text : text.slice(0, start)).replace(/::$/, '').trim();
	if (!/^[\w$]+(?:::[\w$]+)*$/.test(path)) throw invalidAbiError(`${text} is not a type`);
	const args = start < 0 ? [] : splitOutside(unwrap(text.slice(start), '>'), ',');
	return { form: 'path', whole: text, path, args: args.map((one) => one.trim()) };
}

const DEPTH_STEPS: Readonly<Record<string, number>> = {
	'<': 1,
	'(': 1,
	'[': 1,
	'>': -1,
	')': -1,
	']': -1,
};

/** Splits a text at each separator that stands outside of brackets. */
function splitOutside(text: string, separator: string): string[] {
	const parts: string[] = [];
	let depth = 0;
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text.charAt(at);
		depth += DEPTH_STEPS[character] ?? 0;
		if (character !== separator || depth > 0) continue;
		parts.push(text.slice(start, at));
		start = at + 1;
	}
	const last = text.slice(start);
	return last.trim() === '' ? parts : [...parts, last];
}
