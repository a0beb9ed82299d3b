import { attempt, InvalidValue } from '../values/read';
import type { Parameter } from './composed';
import { declarationsIn, MAX_TEXT_CHARS, MODIFIERS, type Declaration } from './declarations';
import { invalidAbi } from './elementary';
import { checkEntry, orUnread, type Found, type Kind } from './entry';
import { NamedTypes } from './namedTypes';
import { parameterList, type NamedType } from './parameters';
import { Tokens } from './tokens';

/** Of all texts together. */
const MAX_CHARS = 500_000;
const MAX_DECLARATIONS = 10_000;

const KINDS: readonly Kind[] = ['function', 'event', 'error'];

/**
 * Functions, events and errors as Solidity declares them, with the structs and other types of all texts; without a
 * keyword, of the kind `bare`.
 */
export function signatures(texts: readonly string[], bare: Kind): Found[] {
	throwIfTooLong(texts);
	const read = texts.map((text) => attempt(InvalidValue, () => declarationsIn(text)));
	const declarations = read.flatMap((one) => (one instanceof InvalidValue ? [] : one));
	if (declarations.length > MAX_DECLARATIONS)
		return invalidAbi(`it has more than ${MAX_DECLARATIONS} declarations`);
	const types = new NamedTypes(declarations);
	return read.flatMap((one) =>
		one instanceof InvalidValue
			? [{ kind: bare, name: '', problem: one.message }]
			: one.flatMap((declaration) => entryIn(declaration, bare, types)),
	);
}

/** One that is too long itself is not read. */
function throwIfTooLong(texts: readonly string[]): void {
	const read = texts.filter(({ length }) => length <= MAX_TEXT_CHARS);
	const length = read.reduce((sum, text) => sum + text.length, 0);
	if (length > MAX_CHARS) invalidAbi(`its texts have more than ${MAX_CHARS} characters`);
}

function entryIn(declaration: Declaration, bare: Kind, types: NamedTypes): Found[] {
	const { keyword, name, scope, rest } = declaration;
	const kind = keyword === '' ? kindNamed(name, bare) : KINDS.find((one) => one === keyword);
	if (!kind || isNeverCalled(declaration)) return [];
	return [
		orUnread(kind, isCallable(declaration) ? name : '', () => {
			const tokens = new Tokens(rest);
			if (name === '') return invalidAbi(`expected a name but found ${tokens.found}`);
			if (keyword === '' && name === 'function')
				return invalidAbi(`expected a name but found '${name}'`);
			refuseForeign(declaration);
			const named = types.seenFrom(scope);
			const inputs = parameterList(tokens, named);
			return checkEntry({ kind, name, inputs, ...ending(tokens, named, keyword) });
		}),
	];
}

function kindNamed(name: string, bare: Kind): Kind {
	return name === 'constructor' ? name : bare;
}

/** Not a variable, or what else stands in a contract. */
function isCallable({ keyword, name, rest }: Declaration): boolean {
	return keyword !== '' || (rest[0]?.text === '(' && name !== 'mapping');
}

/** `receive() …`, `fallback() …`, and `fallback(bytes calldata) external …`. */
function isNeverCalled({ keyword, name, rest }: Declaration): boolean {
	if (keyword !== '') return false;
	const isEmpty = rest[1]?.text === ')';
	const isExternal = rest.some(({ text }) => text === 'external');
	if (name === 'fallback') return isEmpty || isExternal;
	return name === 'receive' && isEmpty;
}

/** A body is refused as such, whatever it holds. */
function refuseForeign({ rest }: Declaration): void {
	const found = rest.find(({ text, isForeign }) => isForeign || text === '{');
	if (found?.isForeign) invalidAbi(`'${found.text}' is not allowed in a signature`);
}

/** `external view returns (uint256)`, or the outputs alone. */
function ending(tokens: Tokens, named: NamedType, keyword: string) {
	let outputs: readonly Parameter[] | undefined;
	let isAnonymous = false;
	const modifiers: string[] = [];
	while (!tokens.isAtEnd) {
		const { text } = tokens.next;
		if (text === '(' || tokens.takeIf('returns')) {
			if (outputs) return invalidAbi('its outputs are declared twice');
			outputs = parameterList(tokens, named);
		} else if (tokens.takeIf('anonymous')) isAnonymous = true;
		else if (text === 'override' || (keyword === 'function' && isModifierOfItsOwn(tokens))) {
			tokens.take();
			tokens.skipBrackets();
		} else if (MODIFIERS.includes(text)) modifiers.push(tokens.take().text);
		else return invalidAbi(`${tokens.found} is not allowed after the arguments`);
	}
	return { outputs: outputs ?? [], isAnonymous, isPayable: isPayable(modifiers, keyword) };
}

/** Declared as in Solidity, a function that does not say so is not; a bare signature leaves it open. */
function isPayable(modifiers: readonly string[], keyword: string): boolean | undefined {
	if (modifiers.includes('payable')) return true;
	return keyword === '' && modifiers.length === 0 ? undefined : false;
}

/** `onlyOwner`, or `onlyRole(MINTER)`, on a line of its own; in a line with others, it may be a word misspelt. */
function isModifierOfItsOwn({ next }: Tokens): boolean {
	return next.startsLine && next.isWord && next.text !== 'return' && !MODIFIERS.includes(next.text);
}
