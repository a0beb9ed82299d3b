import { createRegistry } from '@bufbuild/protobuf';
import { Enum, Namespace, parse, Root, Type, type IParserResult } from 'protobufjs';
import { invalidInput, messageOf } from '../callError.mts';
import { isWellKnown, WELL_KNOWN_FILES } from '../descriptors/registry.mts';
import './oneofGroups.mts';
import { asWritten, readable, syntaxIn } from './protoText.mts';

export interface ProtoText {
	/** The path by which other files import it. */
	readonly name: string;
	readonly content: string;
}

export interface ParsedProto extends ProtoText {
	readonly syntax: string;
	readonly imports: readonly string[];
	readonly scope: Root;
	readonly packageName: string;
}

/** Parses a .proto file; an error names its line. */
export function parseProto(file: ProtoText): ParsedProto {
	const { name } = file;
	const content = readable(file.content);
	try {
		const { root, imports = [], weakImports = [], package: packageName = '' } = parsed(content);
		return {
			name,
			content,
			syntax: syntaxIn(content),
			scope: root,
			packageName,
			imports: [...imports, ...weakImports],
		};
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

/** Some errors of the parser name no line: the first line is searched with which the error appears. */
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

type Kind = 'message' | 'group' | 'enum';

interface ResolvedType {
	/** With a dot before it. */
	readonly fullName: string;
	readonly kind: Kind;
}

const WELL_KNOWN_TYPES: ReadonlyMap<string, Kind> = new Map(
	[...createRegistry(...WELL_KNOWN_FILES)]
		.filter(({ kind }) => kind === 'message' || kind === 'enum')
		.map(({ typeName, kind }) => [`.${typeName}`, kind as Kind]),
);

/** The types that a file may use: its own, and those of its imports and of their imports. */
export class TypeScope {
	private readonly kinds = new Map(WELL_KNOWN_TYPES);

	constructor(
		private readonly file: ParsedProto,
		private readonly files: ReadonlyMap<string, ParsedProto>,
	) {
		for (const { scope } of this.reachable()) this.addAll(scope);
	}

	/** The type of a name that is used in the scope `from`: that of the innermost scope, as protoc has it. */
	resolve(name: string, from: string): ResolvedType {
		if (name.startsWith('.')) return this.named(name) ?? this.unknown(name);
		for (let scope = from; ; scope = scope.slice(0, scope.lastIndexOf('.'))) {
			const found = this.named(`${scope}.${name}`);
			if (found) return found;
			if (scope === '') return this.unknown(name);
		}
	}

	isGroup(fullName: string): boolean {
		return this.kinds.get(fullName) === 'group';
	}

	private named(fullName: string): ResolvedType | undefined {
		const kind = this.kinds.get(fullName);
		return kind && { fullName, kind };
	}

	private reachable(): Set<ParsedProto> {
		const reached = new Set([this.file]);
		for (const { imports } of reached) {
			for (const name of imports) {
				const imported = this.files.get(name);
				if (imported) reached.add(imported);
			}
		}
		return reached;
	}

	private addAll(scope: Namespace): void {
		for (const one of scope.nestedArray) {
			if (one instanceof Type) this.kinds.set(one.fullName, isGroupType(one) ? 'group' : 'message');
			if (one instanceof Enum) this.kinds.set(one.fullName, 'enum');
			if (one instanceof Namespace) this.addAll(one);
		}
	}

	private unknown(name: string): never {
		const { name: file, content, imports } = this.file;
		const missing = imports.filter((path) => !this.files.has(path) && !isWellKnown(path));
		const hint =
			missing.length > 0
				? `; ${missing.join(', ')} is imported, but not among the files`
				: '; it may be in a file that is not imported';
		return invalidProto(file, lineOf(name, content), `${name} is not known${hint}`);
	}
}

/** The types of protobufjs leave `group` out. */
function isGroupType(type: Type): boolean {
	return 'group' in type && type.group === true;
}

/** The first line with the word outside of a comment. */
function lineOf(word: string, content: string): number {
	const pattern = new RegExp(`(?<![\\w.])${word.replaceAll('.', '\\s*\\.\\s*')}(?![\\w.])`);
	const lines = content.split('\n').map((line) => line.replace(/^\s*\*.*|\/\/.*/, ''));
	return (
		Math.max(
			lines.findIndex((line) => pattern.test(line)),
			0,
		) + 1
	);
}

function invalidProto(file: string, line: number | string, fault: string): never {
	return invalidInput(
		`'Proto Files' cannot be used: ${file}, line ${line}: ${shortened(asWritten(fault))}`,
	);
}

const MAX_CHARACTERS = 200;

/** The parser quotes tokens of any length. */
function shortened(fault: string): string {
	return fault.length > MAX_CHARACTERS ? `${fault.slice(0, MAX_CHARACTERS)}…` : fault;
}
