/** Bytes, or a list of such. */
export type Rlp = Buffer | readonly Rlp[];

const TEXT = 0x80;
const LIST = 0xc0;
const SHORT = 55;

/** RLP, the encoding of transactions. */
export function rlp(value: Rlp): Buffer {
	if (!Buffer.isBuffer(value)) return prefixed(LIST, Buffer.concat(value.map((part) => rlp(part))));
	const [only = TEXT] = value;
	return value.length === 1 && only < TEXT ? value : prefixed(TEXT, value);
}

function prefixed(kind: number, content: Buffer): Buffer {
	const { length } = content;
	if (length <= SHORT) return Buffer.concat([Buffer.from([kind + length]), content]);
	const size = numberBytes(BigInt(length));
	return Buffer.concat([Buffer.from([kind + SHORT + size.length]), size, content]);
}

/** Without leading zeros; 0 is no bytes. */
export function numberBytes(value: bigint): Buffer {
	const digits = value === 0n ? '' : value.toString(16);
	return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

/**
 * The fields of an encoded list, those that are lists themselves as they stand; undefined where it is no such list. It
 * takes what has more than one encoding, too: who needs the one, encodes again and compares.
 */
export function rlpFields(encoded: Buffer): readonly Buffer[] | undefined {
	const whole = partAt(encoded, 0);
	if (!whole?.isList || whole.end !== encoded.length) return undefined;
	const fields: Buffer[] = [];
	for (let at = whole.start; at < whole.end; ) {
		const part = partAt(encoded, at);
		if (!part || part.end > whole.end) return undefined;
		fields.push(encoded.subarray(part.isList ? at : part.start, part.end));
		at = part.end;
	}
	return fields;
}

/** Where the content of the text or list at a place is. */
function partAt(encoded: Buffer, at: number) {
	const first = encoded[at];
	if (first === undefined) return undefined;
	if (first < TEXT) return { isList: false, start: at, end: at + 1 };
	const isList = first >= LIST;
	const size = first - (isList ? LIST : TEXT);
	const digits = Math.max(size - SHORT, 0);
	const start = at + 1 + digits;
	const length = digits === 0 ? size : Number(`0x0${encoded.toString('hex', at + 1, start)}`);
	return start + length <= encoded.length ? { isList, start, end: start + length } : undefined;
}
