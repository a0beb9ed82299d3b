import {
	isRecord,
	parseField,
	parseEvmAddress,
	parseHexBytes,
	parseUint256,
	type Parse,
	InvalidValue,
	raise,
} from '../../nodes/core';

/** A type of EIP-712 that the rules can read, with its declaration and its parser. */
export interface ReadableType<T> {
	/** `address`, `PermitDetails[]` */
	readonly name: string;
	/** All structs that the type needs, including itself. The members are written as in `address token,uint160 amount`. */
	readonly structs: Readonly<Record<string, string>>;
	/** Throws InvalidInput, which names the member. */
	readonly parse: (given: unknown, label: string) => T;
}

type ValueOf<Type> = Type extends ReadableType<infer T> ? T : never;

function elementaryType<T>(name: string, parse: Parse<T>): ReadableType<T> {
	return { name, structs: {}, parse: (given, label) => parseField(label, given, parse) };
}

/** An address in lower case. */
export const addressType = elementaryType('address', (given) =>
	parseEvmAddress(given).toLowerCase(),
);

export function uintType(bits: number): ReadableType<bigint> {
	const most = 2n ** BigInt(bits) - 1n;
	return elementaryType(`uint${bits}`, (given) => {
		const value = parseUint256(given);
		return value <= most
			? value
			: raise(new InvalidValue(`a whole number of 0 or more, below 2^${bits}`));
	});
}

/** The length of `0x` and 32 bytes in hex. */
const WORD_CHARS = 66;

export const bytes32Type = elementaryType('bytes32', (given) => {
	const bytes = parseHexBytes(given).toLowerCase();
	return bytes.length === WORD_CHARS
		? bytes
		: raise(new InvalidValue('32 bytes: 0x and 64 hex digits'));
});

export function listType<T>({ name, structs, parse }: ReadableType<T>): ReadableType<readonly T[]> {
	return {
		name: `${name}[]`,
		structs,
		parse: (given, label) => {
			const items: readonly unknown[] = parseField(label, given, (raw) =>
				Array.isArray(raw) ? raw : raise(new InvalidValue('a list')),
			);
			return items.map((one, at) => parse(one, `${label}[${at}]`));
		},
	};
}

type Members = Readonly<Record<string, ReadableType<unknown>>>;
type Struct<Given extends Members> = { readonly [Name in keyof Given]: ValueOf<Given[Name]> };

export function structType<const Given extends Members>(
	name: string,
	members: Given,
): ReadableType<Struct<Given>> {
	const entries = Object.entries(members);
	const own = entries.map(([member, type]) => `${type.name} ${member}`).join(',');
	const inner = entries.flatMap(([, type]) => Object.entries(type.structs));
	return {
		name,
		structs: Object.fromEntries([[name, own], ...inner]),
		parse: (given, label) => {
			const record = parseField(label, given, (raw) =>
				isRecord(raw) && Object.keys(raw).every((key) => Object.hasOwn(members, key))
					? raw
					: raise(
							new InvalidValue(
								`an object with only these fields: ${Object.keys(members).join(', ')}`,
							),
						),
			);
			const values = entries.map(([member, type]) => [
				member,
				type.parse(getOwn(record, member), `${label}.${member}`),
			]);
			return Object.fromEntries(values) as Struct<Given>;
		},
	};
}

function getOwn(record: Readonly<Record<string, unknown>>, name: string): unknown {
	return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Writes the members of each type as `address token,uint160 amount`. Returns undefined if the input is not a list of names and types. */
export function writeStructs(
	types: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | undefined {
	const written = Object.entries(types).map(([name, members]) => [name, writeMembers(members)]);
	return written.every(isWritten) ? Object.fromEntries(written) : undefined;
}

function isWritten(entry: ReadonlyArray<string | undefined>): entry is readonly [string, string] {
	return entry[1] !== undefined;
}

function writeMembers(members: unknown): string | undefined {
	const all: readonly unknown[] = Array.isArray(members) ? members : [undefined];
	const texts = all.map(writeMember);
	return texts.includes(undefined) ? undefined : texts.join(',');
}

function writeMember(member: unknown): string | undefined {
	if (!isRecord(member)) return undefined;
	const { name, type } = member;
	const isPlain = typeof name === 'string' && typeof type === 'string';
	return isPlain && /^[\w$]+$/.test(name) ? `${type} ${name}` : undefined;
}

/** Returns the declaration of types that `writeStructs` has written. */
export function declareStructs(written: Readonly<Record<string, string>>) {
	return Object.fromEntries(
		Object.entries(written).map(([name, text]) => [name, text.split(',').map(declareMember)]),
	);
}

function declareMember(text: string) {
	const [type = '', name = ''] = text.split(' ');
	return { name, type };
}
