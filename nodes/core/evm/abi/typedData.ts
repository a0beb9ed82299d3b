import { formatNames } from '../../values/excerpt';
import { tryParseJson } from '../../values/json';
import { keccak256 } from '../../values/keccak';
import { isBlank, isRecord, throwInvalidValue, parseAs } from '../../values/parse';
import { Budget } from '../../values/budget';
import { parseListItems } from '../../values/namedValues';
import { WORD_BYTES } from './data';
import {
	parseStructTypes,
	Structs,
	type DeclaredMember,
	type List,
	type MemberType,
	type Struct,
} from './structs';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Keccak-256. */
type HashFunction = (bytes: Uint8Array) => Uint8Array;

/**
 * Hashes typed data (EIP-712), which is given as JSON or as an object, to what is signed. InvalidInput names the value:
 * `Input > message.to`. Members that the types do not declare are refused: people would see them, but would not sign
 * them.
 */
export function hashTypedData(
	given: unknown,
	label: string,
	hash: HashFunction = keccak256,
): Buffer {
	return parseAs(label, given, (raw) => {
		const { domain, primary, message } = parseTypedData(raw);
		const hashing = new Hashing(hash);
		const separator = hashing.hashStruct(domain.type, domain.given, `${label} > domain`);
		// A domain may be signed without a message.
		const content = primary ? hashing.hashStruct(primary, message, `${label} > message`) : '';
		const signed = Buffer.from(`1901${separator}${content}`, 'hex');
		return Buffer.from(hashing.hashBytes(signed), 'hex');
	});
}

function parseTypedData(given: unknown) {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	if (!isRecord(value) || !isRecord(value.types) || !isRecord(value.domain)) {
		return throwInvalidValue(
			'typed data: a JSON object with types, domain, primaryType and message',
		);
	}
	const { primaryType, message } = value;
	const declared = parseStructTypes(value.types);
	const domain = declared.has(DOMAIN_TYPE) ? value.domain : withoutNulls(value.domain);
	const all = new Map([[DOMAIN_TYPE, getDomainMembers(domain)], ...declared]);
	if (typeof primaryType !== 'string' || !all.has(primaryType)) {
		const names = formatNames([...declared.keys()]);
		return throwInvalidValue(`typed data whose primaryType is one of its types (${names})`);
	}
	const isDomainAlone = primaryType === DOMAIN_TYPE;
	if (isDomainAlone && !isEmptyMessage(message)) {
		return throwInvalidValue(
			'typed data without a message, because its primaryType is the domain alone',
		);
	}
	const structs = new Structs(all);
	return {
		domain: { type: structs.getStruct(DOMAIN_TYPE), given: domain },
		primary: isDomainAlone ? undefined : structs.getStruct(primaryType),
		message,
	};
}

function isEmptyMessage(given: unknown): boolean {
	return isBlank(given) || (isRecord(given) && Object.keys(given).length === 0);
}

const DOMAIN_TYPE = 'EIP712Domain';

/** The members in the order in which they are hashed. */
const DOMAIN_MEMBERS: readonly DeclaredMember[] = [
	{ name: 'name', type: 'string' },
	{ name: 'version', type: 'string' },
	{ name: 'chainId', type: 'uint256' },
	{ name: 'verifyingContract', type: 'address' },
	{ name: 'salt', type: 'bytes32' },
];

/** The type of a domain that typed data does not declare. Members that it must not have are refused together with their values. */
function getDomainMembers(domain: JsonRecord): readonly DeclaredMember[] {
	return DOMAIN_MEMBERS.filter(({ name }) => Object.hasOwn(domain, name));
}

function withoutNulls(given: JsonRecord): JsonRecord {
	const isThere = ([, value]: readonly [string, unknown]) => value !== undefined && value !== null;
	return Object.fromEntries(Object.entries(given).filter(isThere));
}

/** The bytes that Keccak-256 absorbs at once. */
const KECCAK_BLOCK_BYTES = 136;
/** This many blocks take some tenths of a second. An order of ten thousand items has fewer. */
const MAX_BLOCKS = 40_000;

/** Hashes values by their types; returns hex digits. */
class Hashing {
	private readonly typeHashes = new Map<Struct, string>();
	private readonly budget = new Budget(
		MAX_BLOCKS,
		`typed data of fewer values, shorter texts or smaller types: it takes more than ${MAX_BLOCKS} hashes of ${KECCAK_BLOCK_BYTES} bytes`,
	);

	constructor(private readonly hash: HashFunction) {}

	hashStruct(struct: Struct, given: unknown, label: string): string {
		const { members } = struct;
		const values = parseAs(label, given, (raw) => parseMemberValues(struct, raw));
		const words = this.makeRoom(1 + members.length);
		words.write(this.hashType(struct), 'hex');
		for (const [index, { name, type }] of members.entries()) {
			const word = this.encodeMember(type, values[index], `${label}.${name}`);
			words.write(word, (1 + index) * WORD_BYTES, 'hex');
		}
		return this.digest(words);
	}

	hashBytes(bytes: Buffer): string {
		this.spend(bytes.length);
		return this.digest(bytes);
	}

	/** The value, or the hash of one that does not fit into a word. */
	private encodeMember(type: MemberType, given: unknown, label: string): string {
		if (type.form === 'struct') return this.hashStruct(type, given, label);
		if (type.form === 'list') return this.hashList(type, given, label);
		const { pack, encode } = type;
		return pack ? this.hashBytes(Buffer.from(pack(given, label), 'hex')) : encode(given, label);
	}

	private hashList({ item, length }: List, given: unknown, label: string): string {
		const items = parseAs(label, given, (raw) => parseListItems(raw, length));
		const words = this.makeRoom(items.length);
		for (const [index, one] of items.entries()) {
			words.write(this.encodeMember(item, one, `${label}[${index}]`), index * WORD_BYTES, 'hex');
		}
		return this.digest(words);
	}

	private hashType(struct: Struct): string {
		const known = this.typeHashes.get(struct);
		if (known !== undefined) return known;
		const names = [...struct.parts.keys()].sort();
		const texts = [struct.text, ...names.map((name) => struct.parts.get(name)?.text ?? '')];
		this.spend(texts.reduce((sum, text) => sum + text.length, 0));
		const made = this.digest(Buffer.from(texts.join('')));
		this.typeHashes.set(struct, made);
		return made;
	}

	private makeRoom(words: number): Buffer {
		this.spend(words * WORD_BYTES);
		return Buffer.alloc(words * WORD_BYTES);
	}

	/** Counts the hash of this many bytes before they are built. */
	private spend(bytes: number): void {
		this.budget.spend(Math.floor(bytes / KECCAK_BLOCK_BYTES) + 1);
	}

	private digest(bytes: Buffer): string {
		return Buffer.from(this.hash(bytes)).toString('hex');
	}
}

function parseMemberValues(struct: Struct, given: unknown): readonly unknown[] {
	const { members, memberNames } = struct;
	if (!isRecord(given)) return throwInvalidValue(formatExpectedObject(struct));
	const foreign = Object.keys(given).find((key) => !memberNames.has(key));
	if (foreign !== undefined)
		return throwInvalidValue(`${formatExpectedObject(struct)}: its type has no '${foreign}'`);
	const missing = members.find(({ name }) => isMissing(given, name));
	if (missing)
		return throwInvalidValue(`${formatExpectedObject(struct)}: there is no '${missing.name}'`);
	return members.map(({ name }) => given[name]);
}

function formatExpectedObject({ memberNames }: Struct): string {
	return memberNames.size > 0
		? `an object with ${formatNames([...memberNames])}`
		: 'an empty object';
}

function isMissing(given: JsonRecord, name: string): boolean {
	return !Object.hasOwn(given, name) || (isBlank(given[name]) && given[name] !== '');
}
