/** Bytes, or a list whose entries are bytes or lists. */
export type Rlp = Buffer | readonly Rlp[];

const TEXT_PREFIX = 0x80;
const LIST_PREFIX = 0xc0;
const MAX_SHORT_BYTES = 55;

/** Encodes in RLP, the format of transactions. */
export function encodeRlp(value: Rlp): Buffer {
	if (!Buffer.isBuffer(value))
		return withPrefix(LIST_PREFIX, Buffer.concat(value.map((part) => encodeRlp(part))));
	const [only = TEXT_PREFIX] = value;
	return value.length === 1 && only < TEXT_PREFIX ? value : withPrefix(TEXT_PREFIX, value);
}

function withPrefix(kind: number, content: Buffer): Buffer {
	const { length } = content;
	if (length <= MAX_SHORT_BYTES) return Buffer.concat([Buffer.from([kind + length]), content]);
	const size = encodeNumberBytes(BigInt(length));
	return Buffer.concat([Buffer.from([kind + MAX_SHORT_BYTES + size.length]), size, content]);
}

/** Encodes a number in as few bytes as possible. The number 0 has no bytes. */
export function encodeNumberBytes(value: bigint): Buffer {
	const digits = value === 0n ? '' : value.toString(16);
	return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

/**
 * Decodes the fields of a list in RLP; undefined if it is no list. Nested lists stay encoded. Encodings that are not
 * canonical are accepted: a caller that refuses them encodes again and compares.
 */
export function decodeRlpFields(encoded: Buffer): readonly Buffer[] | undefined {
	return splitRlpList(encoded)?.map(({ encoded: whole, content }) => content ?? whole);
}

interface RlpPart {
	readonly encoded: Buffer;
	/** Undefined for a list. */
	readonly content: Buffer | undefined;
}

/** Splits a list in RLP into its encoded parts; undefined if it is no list. */
export function splitRlpList(encoded: Buffer): readonly RlpPart[] | undefined {
	const whole = decodePartAt(encoded, 0);
	if (!whole?.isList || whole.end !== encoded.length) return undefined;
	const parts: RlpPart[] = [];
	for (let at = whole.start; at < whole.end; ) {
		const part = decodePartAt(encoded, at);
		if (!part || part.end > whole.end) return undefined;
		const { isList, start, end } = part;
		const content = isList ? undefined : encoded.subarray(start, end);
		parts.push({ encoded: encoded.subarray(at, end), content });
		at = end;
	}
	return parts;
}

/** Joins parts that are already encoded to a list in RLP. */
export function joinRlpList(parts: readonly Buffer[]): Buffer {
	return withPrefix(LIST_PREFIX, Buffer.concat(parts));
}

/** Finds the content of a text or list in RLP at an offset. */
function decodePartAt(encoded: Buffer, at: number) {
	const first = encoded[at];
	if (first === undefined) return undefined;
	if (first < TEXT_PREFIX) return { isList: false, start: at, end: at + 1 };
	const isList = first >= LIST_PREFIX;
	const size = first - (isList ? LIST_PREFIX : TEXT_PREFIX);
	const digits = Math.max(size - MAX_SHORT_BYTES, 0);
	const start = at + 1 + digits;
	const length = digits === 0 ? size : Number(`0x0${encoded.toString('hex', at + 1, start)}`);
	return start + length <= encoded.length ? { isList, start, end: start + length } : undefined;
}
