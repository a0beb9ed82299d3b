import { findLargest } from '../../values/numbers';
import { isRecord, InvalidValue } from '../../values/parse';
import { getElementaryCodec, isElementaryType, type ElementaryType } from './elementary';
import { raise } from '../../errors/raise';

/** A struct that typed data (EIP-712) declares. */
export interface Struct {
	readonly form: 'struct';
	readonly name: string;
	readonly members: readonly Member[];
	readonly memberNames: ReadonlySet<string>;
	/** `Mail(Person from,string contents)` */
	readonly text: string;
	/** All structs that it contains, directly or indirectly, by name and without itself. */
	readonly parts: ReadonlyMap<string, Struct>;
	/** How many structs and lists are nested in each other, including the struct itself. */
	readonly depth: number;
}

interface Member {
	readonly name: string;
	readonly type: MemberType;
}

export type MemberType = ElementaryType | Struct | List;

export interface List {
	readonly form: 'list';
	readonly item: MemberType;
	/** The length of the list; undefined if the type allows any length. */
	readonly length: number | undefined;
}

/** The structs that typed data (EIP-712) declares, by name. */
export type DeclaredTypes = ReadonlyMap<string, readonly DeclaredMember[]>;

export interface DeclaredMember {
	readonly name: string;
	/** The name of the type as it is declared. It is hashed in this form. */
	readonly type: string;
}

/** Allows a colon in the name of a struct, because some protocols put their own name and a colon before it. */
const STRUCT_NAME_PATTERN = /^[a-z_$][\w$:.]{0,199}$/i;
const MEMBER_NAME_PATTERN = /^[a-z_$][\w$]{0,199}$/i;
const MAX_STRUCTS = 100;
/** Limits the length of a type, with its name and list suffixes. */
const MAX_TYPE_CHARS = 300;

export function parseStructTypes(types: Readonly<Record<string, unknown>>): DeclaredTypes {
	const entries = Object.entries(types);
	if (entries.length > MAX_STRUCTS)
		throw new InvalidValue(`typed data with at most ${MAX_STRUCTS} types`);
	return new Map(
		entries.map(([name, members]) => {
			if (!STRUCT_NAME_PATTERN.test(name) || isElementaryType(name)) {
				throw new InvalidValue(
					`typed data whose types have valid names: '${name}' is malformed, or the name of a built-in type`,
				);
			}
			return [name, parseMembers(name, members)];
		}),
	);
}

function parseMembers(struct: string, given: unknown): readonly DeclaredMember[] {
	const members: readonly unknown[] = Array.isArray(given)
		? given
		: raise(new InvalidValue(formatExpectedMembers(struct)));
	const names = new Set<string>();
	return members.map((member) => {
		if (!isRecord(member)) throw new InvalidValue(formatExpectedMembers(struct));
		const { name, type } = member;
		if (typeof name !== 'string' || typeof type !== 'string')
			throw new InvalidValue(formatExpectedMembers(struct));
		if (!MEMBER_NAME_PATTERN.test(name) || names.has(name)) {
			throw new InvalidValue(
				`typed data with valid field names: '${name}' in the type ${struct} is repeated or malformed`,
				'In a type, each name stands once. It has letters, digits, _ and $, and does not start with a digit.',
			);
		}
		if (type.length > MAX_TYPE_CHARS) {
			throw new InvalidValue(
				`typed data with type names of at most ${MAX_TYPE_CHARS} characters: the type of ${struct}.${name} is longer`,
			);
		}
		names.add(name);
		return { name, type };
	});
}

function formatExpectedMembers(struct: string): string {
	return `typed data whose type ${struct} is a list of objects, each with name and type`;
}

const MAX_DEPTH = 64;
const LIST_TYPE_PATTERN = /^(.+)\[(\d{0,9})\]$/;

/** Parses each declared struct once, and only if it is used, because an unused struct may contain anything. */
export class Structs {
	private readonly known = new Map<string, Struct>();

	constructor(private readonly declared: DeclaredTypes) {}

	/** Refuses circular and undeclared types. */
	getStruct(name: string, within: readonly string[] = []): Struct {
		const known = this.known.get(name);
		if (known) return known;
		const path = [...within, name];
		if (within.includes(name)) {
			throw new InvalidValue(`typed data in which no type contains itself: ${path.join(' > ')}`);
		}
		throwIfTooDeep(path.length);
		const struct = buildStruct(name, this.declared.get(name) ?? [], (type) =>
			this.parseType(type, path),
		);
		throwIfTooDeep(struct.depth);
		this.known.set(name, struct);
		return struct;
	}

	/** Parses a list, a struct or an elementary type; returns undefined if the type is not declared. */
	private parseType(type: string, path: readonly string[]): MemberType | undefined {
		const [, itemType, length = ''] = LIST_TYPE_PATTERN.exec(type) ?? [];
		if (itemType !== undefined) {
			const item = this.parseType(itemType, path);
			return item && { form: 'list', item, length: length === '' ? undefined : Number(length) };
		}
		if (this.declared.has(type)) return this.getStruct(type, path);
		return isElementaryType(type) ? getElementaryCodec(type) : undefined;
	}
}

function throwIfTooDeep(depth: number): void {
	if (depth > MAX_DEPTH)
		throw new InvalidValue(
			`typed data whose types and lists are nested at most ${MAX_DEPTH} levels deep`,
		);
}

function buildStruct(
	name: string,
	declared: readonly DeclaredMember[],
	typeOf: (type: string) => MemberType | undefined,
): Struct {
	const members = declared.map((member): Member => {
		const { name: memberName, type } = member;
		const wanted = `typed data that declares its types: '${type}' of ${name}.${memberName} is none`;
		return { name: memberName, type: typeOf(type) ?? raise(new InvalidValue(wanted)) };
	});
	const written = declared.map((member) => `${member.type} ${member.name}`);
	return {
		form: 'struct',
		name,
		members,
		memberNames: new Set(members.map((member) => member.name)),
		text: `${name}(${written.join(',')})`,
		parts: collectParts(members),
		depth: 1 + findLargest([0, ...members.map(({ type }) => measureDepth(type))]),
	};
}

function measureDepth(type: MemberType): number {
	if (type.form === 'list') return 1 + measureDepth(type.item);
	return type.form === 'struct' ? type.depth : 0;
}

function collectParts(members: readonly Member[]): ReadonlyMap<string, Struct> {
	const parts = new Map<string, Struct>();
	for (const { type } of members) {
		const struct = findStruct(type);
		if (!struct || parts.has(struct.name)) continue;
		for (const part of [struct, ...struct.parts.values()]) parts.set(part.name, part);
	}
	return parts;
}

function findStruct(type: MemberType): Struct | undefined {
	if (type.form === 'list') return findStruct(type.item);
	return type.form === 'struct' ? type : undefined;
}
