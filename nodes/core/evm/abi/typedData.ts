import { runAtOnce, type Sliced } from '../../net/pacing/slices';
import { formatNames } from '../../values/excerpt';
import { parseJsonIfValid } from '../../values/json';
import { keccak256 } from '../../values/keccak';
import { isBlank, isRecord, parseField, InvalidValue } from '../../values/parse';
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
 * Hashes typed data (EIP-712), given as JSON or as an object, to the hash that is signed. InvalidInput names the value:
 * `Input > message.to`. Members that the types do not declare are refused: people would see them, but would not sign
 * them. Between slices of the work it yields, so that its caller can let others have their turn.
 */
export function* hashTypedDataInSlices(
	given: unknown,
	label: string,
	hash: HashFunction = keccak256,
): Sliced<Buffer> {
	const { domain, primary, message } = parseField(label, given, parseTypedData);
	const hashing = new Hashing(hash, (spend) => parseField(label, given, spend));
	const separator = yield* hashing.hashStruct(domain.type, domain.given, `${label} > domain`);
	// Without a primary type, only the domain is signed, and no message.
	const content = primary ? yield* hashing.hashStruct(primary, message, `${label} > message`) : '';
	const signed = Buffer.from(`1901${separator}${content}`, 'hex');
	return Buffer.from(hashing.hashBytes(signed), 'hex');
}

/** Hashes typed data as `hashTypedDataInSlices` does, but without pauses. */
export function hashTypedData(given: unknown, label: string, hash?: HashFunction): Buffer {
	return runAtOnce(hashTypedDataInSlices(given, label, hash));
}

function parseTypedData(given: unknown) {
	const value = typeof given === 'string' ? parseJsonIfValid(given) : given;
	if (!isRecord(value) || !isRecord(value.types) || !isRecord(value.domain)) {
		throw new InvalidValue('typed data: a JSON object with types, domain, primaryType and message');
	}
	const { primaryType, message } = value;
	const declared = parseStructTypes(value.types);
	const domain = declared.has(DOMAIN_TYPE) ? value.domain : withoutNulls(value.domain);
	const all = new Map([[DOMAIN_TYPE, getDomainMembers(domain)], ...declared]);
	if (typeof primaryType !== 'string' || !all.has(primaryType)) {
		const names = formatNames([...declared.keys()]);
		throw new InvalidValue(`typed data whose primaryType is one of its types (${names})`);
	}
	const isDomainAlone = primaryType === DOMAIN_TYPE;
	if (isDomainAlone && !isEmptyMessage(message)) {
		throw new InvalidValue('typed data without a message, because its primaryType is EIP712Domain');
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

/** The possible members of a domain, in the order in which they are hashed. */
const DOMAIN_MEMBERS: readonly DeclaredMember[] = [
	{ name: 'name', type: 'string' },
	{ name: 'version', type: 'string' },
	{ name: 'chainId', type: 'uint256' },
	{ name: 'verifyingContract', type: 'address' },
	{ name: 'salt', type: 'bytes32' },
];

/** Returns the members that the domain has, for typed data that does not declare the type of its domain. */
function getDomainMembers(domain: JsonRecord): readonly DeclaredMember[] {
	return DOMAIN_MEMBERS.filter(({ name }) => Object.hasOwn(domain, name));
}

function withoutNulls(given: JsonRecord): JsonRecord {
	const isThere = ([, value]: readonly [string, unknown]) => value !== undefined && value !== null;
	return Object.fromEntries(Object.entries(given).filter(isThere));
}

/** The number of bytes that Keccak-256 processes in one step. */
const KECCAK_BLOCK_BYTES = 136;
/** This many blocks take some tenths of a second. An order of ten thousand items has fewer. */
const MAX_BLOCKS = 40_000;

/** How many blocks and values are hashed before n8n may do other work. */
const SLICE_STEPS = 1000;

/** Hashes values by their types; returns hex digits. */
class Hashing {
	private readonly typeHashes = new Map<Struct, string>();
	private steps = 0;
	private readonly budget = new Budget(
		MAX_BLOCKS,
		`typed data of fewer values, shorter texts or smaller types: it takes more than ${MAX_BLOCKS} hashes of ${KECCAK_BLOCK_BYTES} bytes`,
	);

	constructor(
		private readonly hash: HashFunction,
		/**
		 * Calls the given function. If the function throws because the budget is used up, the error names the typed data.
		 */
		private readonly naming: (spend: () => void) => void,
	) {}

	*hashStruct(struct: Struct, given: unknown, label: string): Sliced<string> {
		const { members } = struct;
		const values = parseField(label, given, (raw) => parseMemberValues(struct, raw));
		const words = this.makeRoom(1 + members.length);
		words.write(this.hashType(struct), 'hex');
		for (const [index, { name, type }] of members.entries()) {
			const word = yield* this.encodeMember(type, values[index], `${label}.${name}`);
			words.write(word, (1 + index) * WORD_BYTES, 'hex');
		}
		return this.digest(words);
	}

	hashBytes(bytes: Buffer): string {
		this.spend(bytes.length);
		return this.digest(bytes);
	}

	/** Encodes a member as one word: the value itself, or its hash if the value does not fit into a word. */
	private *encodeMember(type: MemberType, given: unknown, label: string): Sliced<string> {
		if (++this.steps > SLICE_STEPS) {
			this.steps = 0;
			yield;
		}
		if (type.form === 'struct') return yield* this.hashStruct(type, given, label);
		if (type.form === 'list') return yield* this.hashList(type, given, label);
		const { pack, encode } = type;
		return pack
			? this.hashBytes(Buffer.from(pack(given, label), 'hex'))
			: encode(given, label, this.budget);
	}

	private *hashList({ item, length }: List, given: unknown, label: string): Sliced<string> {
		const items = parseField(label, given, (raw) => parseListItems(raw, length));
		const words = this.makeRoom(items.length);
		for (const [index, one] of items.entries()) {
			const word = yield* this.encodeMember(item, one, `${label}[${index}]`);
			words.write(word, index * WORD_BYTES, 'hex');
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

	/** Counts the blocks that Keccak-256 hashes against the budget, before the bytes to be hashed are built. */
	private spend(bytes: number): void {
		const blocks = Math.floor(bytes / KECCAK_BLOCK_BYTES) + 1;
		this.naming(() => this.budget.spend(blocks));
		this.steps += blocks;
	}

	private digest(bytes: Buffer): string {
		return Buffer.from(this.hash(bytes)).toString('hex');
	}
}

function parseMemberValues(struct: Struct, given: unknown): readonly unknown[] {
	const { members, memberNames } = struct;
	if (!isRecord(given)) throw new InvalidValue(formatExpectedObject(struct));
	const foreign = Object.keys(given).find((key) => !memberNames.has(key));
	if (foreign !== undefined)
		throw new InvalidValue(
			`${formatExpectedObject(struct)}: remove '${foreign}', which the object's type does not declare`,
		);
	const missing = members.find(({ name }) => isMissing(given, name));
	if (missing)
		throw new InvalidValue(`${formatExpectedObject(struct)}: there is no '${missing.name}'`);
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
