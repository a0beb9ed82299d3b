import { entryOf, type AbiEntry, type Kind } from './entry';
import { mistake } from './mistake';
import { Tokens } from './tokens';
import { parameterList } from './typeText';

const LONGEST = 100_000;
const KINDS: readonly string[] = ['function', 'event', 'error'] satisfies Kind[];

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
		if (tokens.takeIf(';')) continue;
		const entry = signature(tokens, bare);
		if (!UNNAMED.includes(entry.name)) entries.push(entry);
	}
	return entries;
}

function signature(tokens: Tokens, bare: Kind): AbiEntry {
	const kind = kindAt(tokens) ?? bare;
	if (!tokens.next.isWord) return mistake(`${tokens.found} stands where a name belongs`);
	const name = tokens.take().text;
	const inputs = parameterList(tokens);
	return entryOf({ kind, name, inputs, ...rest(tokens) });
}

function kindAt(tokens: Tokens): Kind | undefined {
	const isKind = KINDS.includes(tokens.next.text) && tokens.afterNext.isWord;
	return isKind ? (tokens.take().text as Kind) : undefined;
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
		else if (startsLine || KINDS.includes(text)) break;
		else return mistake(`${tokens.found} has no place behind the arguments`);
	}
	return { outputs, isAnonymous };
}

/** `override(First, Second)` */
function skipBrackets(tokens: Tokens): void {
	if (!tokens.takeIf('(')) return;
	while (!tokens.isAtEnd && !tokens.takeIf(')')) tokens.take();
}
