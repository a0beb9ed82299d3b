import { parse, Root, type IParserResult } from 'protobufjs';
import { messageOf } from '../../problem.mts';
import { invalidProto } from './refuse.mts';

/** The text of a .proto file, and how other files call it. */
export interface ProtoText {
	readonly name: string;
	readonly content: string;
}

export interface ParsedProto extends ProtoText {
	readonly imports: readonly string[];
	readonly scope: Root;
	readonly packageName: string;
}

/** The tree that the parser makes of a file. What it cannot read is refused, with its line. */
export function parseProto({ name, content }: ProtoText): ParsedProto {
	try {
		const { root, imports = [], weakImports = [], package: packageName = '' } = parsed(content);
		return { name, content, scope: root, packageName, imports: [...imports, ...weakImports] };
	} catch (error) {
		const words = messageOf(error);
		const [, bare = words, line = lineOfError(content, words)] =
			/^(.*) \(line (\d+)\)$/.exec(words) ?? [];
		return invalidProto(name, line, bare);
	}
}

function parsed(content: string): IParserResult {
	return parse(content, new Root(), { keepCase: true });
}

/** Faults that lie in more than one place are told without a line: it is the first with which they come up. */
function lineOfError(content: string, words: string): number {
	const lines = content.split('\n');
	const isWrong = (count: number) => parseError(lines.slice(0, count).join('\n')) === words;
	let [right, wrong] = [0, lines.length];
	while (right + 1 < wrong) {
		const middle = Math.floor((right + wrong) / 2);
		if (isWrong(middle)) wrong = middle;
		else right = middle;
	}
	return wrong;
}

function parseError(content: string): string | undefined {
	try {
		parsed(content);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}
