/** Bytes, or a list of such. */
export type Rlp = Buffer | readonly Rlp[];

const TEXT = 0x80;
const LIST = 0xc0;
const SHORT = 55;

/** RLP, the encoding of transactions. */
export function rlp(value: Rlp): Buffer {
	if (!Buffer.isBuffer(value)) return prefixed(LIST, Buffer.concat(value.map(rlp)));
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
