import { tryParseJson } from '../values/json';
import { keccak256 } from '../values/keccak';
import { isBlank, isRecord, mustBe, readAs } from '../values/read';
import { itemsOf } from './composed';
import { elementary, isElementary } from './elementary';

interface Member {
	readonly name: string;
	/** As written: it is hashed. */
	readonly type: string;
}

/** The types that typed data declares, by name. */
type Structs = ReadonlyMap<string, readonly Member[]>;

type Given = Readonly<Record<string, unknown>>;

/** Keccak-256. */
type Hash = (bytes: Uint8Array) => Uint8Array;

/**
 * What is signed of typed data (EIP-712), which is given as JSON or as an object. InvalidInput names the value:
 * `Input > message.to`. What the types do not tell of is refused: people would see it, and not have signed it.
 */
export function typedDataHash(given: unknown, label: string, hash: Hash = keccak256): Buffer {
	const { structs, primaryType, domain, message } = readAs(label, given, typedData);
	const hashed = (digits: string) => hexOf(hash(Buffer.from(digits, 'hex')));
	const hashOf = structHashes(structs, hashed);
	const separator = hashOf(DOMAIN, domain, `${label} > domain`);
	// A domain may be signed by itself.
	const content = primaryType === DOMAIN ? '' : hashOf(primaryType, message, `${label} > message`);
	return Buffer.from(hashed(`1901${separator}${content}`), 'hex');
}

function typedData(given: unknown) {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	if (!isRecord(value) || !isRecord(value.types) || !isRecord(value.domain)) {
		return mustBe('typed data: a JSON object with types, domain, primaryType and message');
	}
	const { primaryType, message } = value;
	const declared = structsIn(value.types);
	const domain = declared.has(DOMAIN) ? value.domain : withoutNulls(value.domain);
	const structs: Structs = new Map([[DOMAIN, domainMembers(domain)], ...declared]);
	if (typeof primaryType !== 'string' || !structs.has(primaryType)) {
		const names = [...declared.keys()].join(', ');
		return mustBe(`typed data whose primaryType is one of its types (${names})`);
	}
	if (primaryType === DOMAIN && !isNothing(message)) {
		return mustBe('typed data without a message, because its primaryType is the domain alone');
	}
	for (const name of [DOMAIN, primaryType]) structsOf(structs, name);
	return { structs, primaryType, domain, message };
}

function isNothing(given: unknown): boolean {
	return isBlank(given) || (isRecord(given) && Object.keys(given).length === 0);
}

const DOMAIN = 'EIP712Domain';

/** In the order in which they are hashed. */
const DOMAIN_MEMBERS: readonly Member[] = [
	{ name: 'name', type: 'string' },
	{ name: 'version', type: 'string' },
	{ name: 'chainId', type: 'uint256' },
	{ name: 'verifyingContract', type: 'address' },
	{ name: 'salt', type: 'bytes32' },
];

/** The type of a domain that is not declared. Members that it must not have are refused with its values. */
function domainMembers(domain: Given): readonly Member[] {
	return DOMAIN_MEMBERS.filter(({ name }) => Object.hasOwn(domain, name));
}

function withoutNulls(given: Given): Given {
	const isThere = ([, value]: readonly [string, unknown]) => value !== undefined && value !== null;
	return Object.fromEntries(Object.entries(given).filter(isThere));
}

/** Some protocols put their own name before a colon. */
const STRUCT_NAME = /^[a-z_$][\w$:.]{0,199}$/i;
const MEMBER_NAME = /^[a-z_$][\w$]{0,199}$/i;
const MOST_STRUCTS = 100;
/** A name and its lists. */
const LONGEST_TYPE = 300;

function structsIn(types: Given): Structs {
	const entries = Object.entries(types);
	if (entries.length > MOST_STRUCTS) return mustBe(`typed data of at most ${MOST_STRUCTS} types`);
	return new Map(
		entries.map(([name, members]) => {
			if (!STRUCT_NAME.test(name) || isElementary(name)) {
				return mustBe(`typed data whose types have names of their own: '${name}' is not allowed`);
			}
			return [name, membersIn(name, members)];
		}),
	);
}

function membersIn(struct: string, given: unknown): readonly Member[] {
	const members: readonly unknown[] = Array.isArray(given) ? given : mustBe(wantedOf(struct));
	const names = new Set<string>();
	return members.map((member) => {
		if (!isRecord(member)) return mustBe(wantedOf(struct));
		const { name, type } = member;
		if (typeof name !== 'string' || typeof type !== 'string') return mustBe(wantedOf(struct));
		if (!MEMBER_NAME.test(name) || names.has(name)) {
			return mustBe(`typed data whose type ${struct} has a name for each member, once: '${name}'`);
		}
		if (type.length > LONGEST_TYPE) {
			return mustBe(
				`typed data whose types are spelled in at most ${LONGEST_TYPE} characters: that of ${struct}.${name} is longer`,
			);
		}
		names.add(name);
		return { name, type };
	});
}

function wantedOf(struct: string): string {
	return `typed data whose type ${struct} is a list of objects, each with name and type`;
}

const DEEPEST = 64;

/** The names of all structs that one is made of, its own first. Refuses circles, and types that are not declared. */
function structsOf(
	structs: Structs,
	name: string,
	within: readonly string[] = [],
	found = new Set<string>(),
): ReadonlySet<string> {
	const path = [...within, name];
	if (within.includes(name)) {
		return mustBe(`typed data whose types do not hold themselves: ${path.join(' > ')}`);
	}
	if (path.length > DEEPEST) return mustBe(`typed data of at most ${DEEPEST} types in each other`);
	if (found.has(name)) return found;
	found.add(name);
	for (const member of structs.get(name) ?? []) {
		const item = itemType(member.type);
		if (structs.has(item)) structsOf(structs, item, path, found);
		else if (!isElementary(item)) {
			return mustBe(
				`typed data that declares its types: '${member.type}' of ${name}.${member.name} is none`,
			);
		}
	}
	return found;
}

/** `Person` of `Person[][3]` */
function itemType(type: string): string {
	return type.replace(/(\[\d{0,9}\])+$/, '');
}

/** `Mail(Person from,string contents)Person(string name)` */
function typeText(structs: Structs, name: string): string {
	const [own = '', ...others] = structsOf(structs, name);
	return [own, ...others.sort()]
		.map((one) => {
			const members = structs.get(one) ?? [];
			return `${one}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`;
		})
		.join('');
}

const LIST = /^(.+)\[(\d*)\]$/;

/** What hashes a struct of these, from hex digits to hex digits. */
function structHashes(structs: Structs, hashed: (digits: string) => string) {
	const typeHashes = new Map<string, string>();

	function structHash(name: string, given: unknown, label: string): string {
		const members = structs.get(name) ?? [];
		const values = readAs(label, given, (raw) => valuesOf(members, raw));
		const encoded = members.map((member, index) =>
			memberWord(member.type, values[index], `${label}.${member.name}`),
		);
		return hashed(typeHash(name) + encoded.join(''));
	}

	/** The value, or the hash of one that does not fit into a word. */
	function memberWord(type: string, given: unknown, label: string): string {
		const [, item, length = ''] = LIST.exec(type) ?? [];
		if (item !== undefined) {
			const read = (raw: unknown) => itemsOf(raw, length === '' ? undefined : Number(length));
			const items = readAs(label, given, read);
			return hashed(items.map((one, at) => memberWord(item, one, `${label}[${at}]`)).join(''));
		}
		if (structs.has(type)) return structHash(type, given, label);
		const { pack, encode } = elementary(type);
		return pack ? hashed(pack(given, label)) : encode(given, label);
	}

	function typeHash(name: string): string {
		const known = typeHashes.get(name);
		if (known !== undefined) return known;
		const made = hashed(hexOf(Buffer.from(typeText(structs, name))));
		typeHashes.set(name, made);
		return made;
	}

	return structHash;
}

function valuesOf(members: readonly Member[], given: unknown): readonly unknown[] {
	const names = members.map(({ name }) => name);
	const wanted = names.length > 0 ? `an object with ${names.join(', ')}` : 'an empty object';
	if (!isRecord(given)) return mustBe(wanted);
	const foreign = Object.keys(given).find((key) => !names.includes(key));
	if (foreign !== undefined) return mustBe(`${wanted}: its type has no '${foreign}'`);
	const missing = names.find((name) => isMissing(given, name));
	if (missing !== undefined) return mustBe(`${wanted}: there is no '${missing}'`);
	return names.map((name) => given[name]);
}

function isMissing(given: Given, name: string): boolean {
	return !Object.hasOwn(given, name) || (isBlank(given[name]) && given[name] !== '');
}

function hexOf(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString('hex');
}
