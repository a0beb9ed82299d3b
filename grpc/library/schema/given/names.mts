import { createRegistry } from '@bufbuild/protobuf';
import { Enum, Namespace, Type } from 'protobufjs';
import { isWellKnown, WELL_KNOWN_FILES } from '../../descriptors/registry.mts';
import type { ParsedProto } from './parseProto.mts';
import { invalidProto } from './refuse.mts';

type Kind = 'message' | 'group' | 'enum';

export interface ResolvedType {
	/** With a dot before it. */
	readonly fullName: string;
	readonly kind: Kind;
}

const WELL_KNOWN_TYPES: ReadonlyMap<string, Kind> = new Map(
	[...createRegistry(...WELL_KNOWN_FILES)]
		.filter(({ kind }) => kind === 'message' || kind === 'enum')
		.map(({ typeName, kind }) => [`.${typeName}`, kind as Kind]),
);

/** What names mean in a file: its own types, those of the files that it imports, and of those that these import. */
export class TypeScope {
	private readonly kinds = new Map(WELL_KNOWN_TYPES);

	constructor(
		private readonly file: ParsedProto,
		private readonly files: ReadonlyMap<string, ParsedProto>,
	) {
		for (const { scope } of this.reachable()) this.addAll(scope);
	}

	/** The type that a name stands for: the nearest one, seen from where it is used. */
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

/** The parser's types leave it out. */
function isGroupType(type: Type): boolean {
	return 'group' in type && type.group === true;
}

/** The first line that says the word outside of a comment. */
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
