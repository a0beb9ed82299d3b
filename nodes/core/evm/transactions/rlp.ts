/** Bytes, or a list of such. */
export type Rlp = Buffer | readonly Rlp[];

const TEXT_PREFIX = 0x80;
const LIST_PREFIX = 0xc0;
const MAX_SHORT_BYTES = 55;

/** Encodes RLP, the format of transactions. */
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

/** Encodes a number without leading zeros; 0 is no bytes. */
export function encodeNumberBytes(value: bigint): Buffer {
	const digits = value === 0n ? '' : value.toString(16);
	return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

/**
 * The fields of an encoded list, nested lists still encoded; undefined for anything else. It also accepts encodings
 * that are not canonical: a caller that requires the canonical one encodes again and compares.
 */
export function decodeRlpFields(encoded: Buffer): readonly Buffer[] | undefined {
	return splitRlpList(encoded)?.map(({ encoded: whole, content }) => content ?? whole);
}

interface RlpPart {
	readonly encoded: Buffer;
	/** Undefined for a list. */
	readonly content: Buffer | undefined;
}

/** The encoded parts of an encoded list; undefined for anything else. */
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

/** Makes a list of parts that are already encoded. */
export function joinRlpList(parts: readonly Buffer[]): Buffer {
	return withPrefix(LIST_PREFIX, Buffer.concat(parts));
}

/** Finds the content of the text or list at an offset. */
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
