/** A decoded number, and the position of the byte after it. */
export interface Varint {
	readonly value: number;
	readonly end: number;
}

/** Nine bytes hold 63 bits, which is enough for any number that is accepted. */
export const MAX_VARINT_BYTES = 9;

/** Decodes a varint; returns undefined if it does not end, or is not a safe integer. */
export function decodeVarint(bytes: Uint8Array, start: number): Varint | undefined {
	let value = 0;
	let scale = 1;
	for (let at = start; at < start + MAX_VARINT_BYTES; at++) {
		const byte = bytes[at];
		if (byte === undefined) return undefined;
		value += (byte & 0x7f) * scale;
		scale *= 0x80;
		if (byte < 0x80) return Number.isSafeInteger(value) ? { value, end: at + 1 } : undefined;
	}
	return undefined;
}

export function encodeVarint(value: number): Buffer {
	const bytes: number[] = [];
	let rest = value;
	for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push(rest % 0x80 | 0x80);
	return Buffer.from([...bytes, rest]);
}

export interface ProtobufField {
	readonly number: number;
	/** A number for a field of type varint; bytes for a field with a length. */
	readonly value: number | Buffer;
}

const VARINT_TYPE = 0;
const LENGTH_TYPE = 2;

/**
 * Decodes the fields of a message in order; returns undefined if the message is malformed. Messages of IPFS have
 * fields of only two types.
 */
export function decodeProtobuf(bytes: Buffer): readonly ProtobufField[] | undefined {
	const fields: ProtobufField[] = [];
	for (let at = 0; at < bytes.length; ) {
		const key = decodeVarint(bytes, at);
		const head = key && decodeVarint(bytes, key.end);
		if (!head) return undefined;
		const number = Math.floor(key.value / 8);
		const type = key.value % 8;
		const end = type === LENGTH_TYPE ? head.end + head.value : head.end;
		if ((type !== LENGTH_TYPE && type !== VARINT_TYPE) || end > bytes.length) return undefined;
		const value = type === LENGTH_TYPE ? bytes.subarray(head.end, end) : head.value;
		fields.push({ number, value });
		at = end;
	}
	return fields;
}

export function encodeBytesField(number: number, ...parts: readonly Uint8Array[]): Buffer {
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	return Buffer.concat([encodeBytesHead(number, length), ...parts]);
}

/** Encodes the head of a field: its number and the length of its bytes. */
export function encodeBytesHead(number: number, length: number): Buffer {
	return Buffer.concat([encodeVarint(number * 8 + LENGTH_TYPE), encodeVarint(length)]);
}

export function encodeNumberField(number: number, value: number): Buffer {
	return Buffer.concat([encodeVarint(number * 8 + VARINT_TYPE), encodeVarint(value)]);
}
