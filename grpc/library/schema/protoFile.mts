import { createRegistry } from '@bufbuild/protobuf';
import { Enum, Namespace, parse, Root, Type, type IParserResult } from 'protobufjs';
import { throwInvalidInput, getMessage } from '../callError.mts';
import { isWellKnown, WELL_KNOWN_FILES } from '../descriptors/registry.mts';
import './oneofGroups.mts';
import { restoreWritten, toReadableProto, findSyntax } from './protoText.mts';

export interface ProtoText {
	/** The path under which other files import it. */
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
	const content = toReadableProto(file.content);
	try {
		const {
			root,
			imports = [],
			weakImports = [],
			package: packageName = '',
		} = parseContent(content);
		return {
			name,
			content,
			syntax: findSyntax(content),
			scope: root,
			packageName,
			imports: [...imports, ...weakImports],
		};
	} catch (error) {
		const words = getMessage(error);
		const [, bare = words, line = findErrorLine(content, words)] =
			/^(.*) \(line (\d+)\)$/.exec(words) ?? [];
		return throwInvalidProto(name, line, bare);
	}
}

function parseContent(content: string): IParserResult {
	return parse(content, new Root(), { keepCase: true });
}

/** Some errors of the parser name no line: the search is for the first line with which the error appears. */
function findErrorLine(content: string, words: string): number {
	const lines = content.split('\n');
	const isWrong = (count: number) => findParseError(lines.slice(0, count).join('\n')) === words;
	let [right, wrong] = [0, lines.length];
	while (right + 1 < wrong) {
		const middle = Math.floor((right + wrong) / 2);
		if (isWrong(middle)) wrong = middle;
		else right = middle;
	}
	return wrong;
}

function findParseError(content: string): string | undefined {
	try {
		parseContent(content);
		return undefined;
	} catch (error) {
		return getMessage(error);
	}
}

type TypeKind = 'message' | 'group' | 'enum';

interface ResolvedType {
	/** The name with a dot in front. */
	readonly fullName: string;
	readonly kind: TypeKind;
}

const WELL_KNOWN_TYPES: ReadonlyMap<string, TypeKind> = new Map(
	[...createRegistry(...WELL_KNOWN_FILES)]
		.filter(({ kind }) => kind === 'message' || kind === 'enum')
		.map(({ typeName, kind }) => [`.${typeName}`, kind as TypeKind]),
);

/** The types that a file may use: its own, those of its imports, and those of their imports. */
export class TypeScope {
	private readonly kinds = new Map(WELL_KNOWN_TYPES);

	constructor(
		private readonly file: ParsedProto,
		private readonly files: ReadonlyMap<string, ParsedProto>,
	) {
		for (const { scope } of this.getReachable()) this.addAll(scope);
	}

	/** Resolves a name that is used in the scope `from`: like protoc, it takes the type of the innermost scope. */
	resolve(name: string, from: string): ResolvedType {
		if (name.startsWith('.')) return this.findType(name) ?? this.throwUnknown(name);
		for (let scope = from; ; scope = scope.slice(0, scope.lastIndexOf('.'))) {
			const found = this.findType(`${scope}.${name}`);
			if (found) return found;
			if (scope === '') return this.throwUnknown(name);
		}
	}

	isGroup(fullName: string): boolean {
		return this.kinds.get(fullName) === 'group';
	}

	private findType(fullName: string): ResolvedType | undefined {
		const kind = this.kinds.get(fullName);
		return kind && { fullName, kind };
	}

	private getReachable(): Set<ParsedProto> {
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

	private throwUnknown(name: string): never {
		const { name: file, content, imports } = this.file;
		const missing = imports.filter((path) => !this.files.has(path) && !isWellKnown(path));
		const hint =
			missing.length > 0
				? `; ${missing.join(', ')} is imported, but not among the files`
				: '; it may be in a file that is not imported';
		return throwInvalidProto(file, findLine(name, content), `${name} is not known${hint}`);
	}
}

/** The type declarations of protobufjs lack `group`. */
function isGroupType(type: Type): boolean {
	return 'group' in type && type.group === true;
}

/** Finds the first line that contains the word outside of a comment. */
function findLine(word: string, content: string): number {
	const pattern = new RegExp(`(?<![\\w.])${word.replaceAll('.', '\\s*\\.\\s*')}(?![\\w.])`);
	const lines = content.split('\n').map((line) => line.replace(/^\s*\*.*|\/\/.*/, ''));
	return (
		Math.max(
			lines.findIndex((line) => pattern.test(line)),
			0,
		) + 1
	);
}

function throwInvalidProto(file: string, line: number | string, fault: string): never {
	return throwInvalidInput(
		`'Proto Files' cannot be used: ${file}, line ${line}: ${shortenFault(restoreWritten(fault))}`,
	);
}

const MAX_FAULT_CHARS = 200;

/** The parser quotes tokens of any length. */
function shortenFault(fault: string): string {
	return fault.length > MAX_FAULT_CHARS ? `${fault.slice(0, MAX_FAULT_CHARS)}…` : fault;
}
