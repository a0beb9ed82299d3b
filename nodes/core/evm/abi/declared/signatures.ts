import { entryOf, type AbiEntry, type Kind } from './entry';
import { mistake } from '../types/mistake';
import { Tokens } from './tokens';
import { parameterList } from './typeText';

const LONGEST = 100_000;
const KINDS: readonly Kind[] = ['function', 'event', 'error'];

/** What may stand behind the arguments and does not matter here. */
const MODIFIERS = [
	...['external', 'public', 'internal', 'private'],
	...['pure', 'view', 'payable', 'nonpayable', 'constant', 'virtual'],
];

/** Parts of a contract that nobody calls by name. */
const UNNAMED = ['constructor', 'receive', 'fallback'];

/** The functions, events and errors that stand in a text, as Solidity writes them. Those that do not say are of this kind. */
export function signatures(text: string, bare: Kind): AbiEntry[] {
	if (text.length > LONGEST) return mistake(`it is longer than ${LONGEST} characters`);
	const tokens = new Tokens(text);
	const entries: AbiEntry[] = [];
	while (!tokens.isAtEnd) {
		if (tokens.takeIf(';') || skipInterface(tokens)) continue;
		const entry = signature(tokens, bare);
		if (!UNNAMED.includes(entry.name)) entries.push(entry);
	}
	return entries;
}

/** `interface IToken is IBase {`, and its end. */
function skipInterface(tokens: Tokens): boolean {
	if (tokens.takeIf('}')) return true;
	if (tokens.next.text !== 'interface' || !tokens.afterNext.isWord) return false;
	while (!tokens.isAtEnd && !tokens.takeIf('{')) tokens.take();
	return true;
}

function signature(tokens: Tokens, bare: Kind): AbiEntry {
	const kind = kindAt(tokens) ?? bare;
	if (!tokens.next.isWord) return mistake(`expected a name but found ${tokens.found}`);
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

/** What stands behind the arguments: `external view returns (uint256)`, or the outputs alone. */
function rest(tokens: Tokens) {
	let outputs: ReturnType<typeof parameterList> = [];
	let isAnonymous = false;
	for (;;) {
		const { text, startsLine } = tokens.next;
		if (tokens.isAtEnd || text === ';') break;
		if (text === '(') outputs = parameterList(tokens);
		else if (tokens.takeIf('returns')) outputs = parameterList(tokens);
		else if (tokens.takeIf('anonymous')) isAnonymous = true;
		else if (tokens.takeIf('override')) skipBrackets(tokens);
		else if (MODIFIERS.includes(text)) tokens.take();
		else if (startsLine || KINDS.some((kind) => kind === text)) break;
		else return mistake(`${tokens.found} is not allowed after the arguments`);
	}
	return { outputs, isAnonymous };
}

/** `override(First, Second)` */
function skipBrackets(tokens: Tokens): void {
	if (!tokens.takeIf('(')) return;
	while (!tokens.isAtEnd && !tokens.takeIf(')')) tokens.take();
}
