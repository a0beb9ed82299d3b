/** This file writes protobuf messages in any form, even in forms that no encoder uses. */

export interface WireField {
	readonly number: number;
	/** A bigint is a varint, bytes are delimited by their length. */
	readonly value: bigint | Buffer;
	/** The number of bytes beyond those that the varint of the value needs. */
	readonly padding?: number;
}

const PAYLOAD_BITS = 7n;
const MORE = 0x80;

function encodeVarint(value: bigint, padding = 0): number[] {
	const bytes: number[] = [];
	let rest = value;
	do {
		bytes.push(Number(rest & 0x7fn));
		rest >>= PAYLOAD_BITS;
	} while (rest > 0n);
	bytes.push(...new Array<number>(padding).fill(0));
	return bytes.map((byte, at) => (at < bytes.length - 1 ? byte | MORE : byte));
}

export function encodeFields(fields: readonly WireField[]): Buffer {
	return Buffer.concat(fields.map(encodeField));
}

function encodeField({ number, value, padding }: WireField): Buffer {
	const isVarint = typeof value === 'bigint';
	const tag = encodeVarint((BigInt(number) << 3n) | (isVarint ? 0n : 2n));
	const length = encodeVarint(isVarint ? value : BigInt(value.length), padding);
	return Buffer.concat([Buffer.from([...tag, ...length]), isVarint ? Buffer.alloc(0) : value]);
}

/** Decodes the output of an encoder. It does not check for errors in changed bytes. */
export function decodeFields(bytes: Buffer): WireField[] {
	const fields: WireField[] = [];
	let at = 0;
	const takeVarint = () => {
		let value = 0n;
		for (let shift = 0n; ; shift += PAYLOAD_BITS) {
			const byte = bytes[at++]!;
			value |= BigInt(byte & 0x7f) << shift;
			if (byte < MORE) return value;
		}
	};
	while (at < bytes.length) {
		const tag = takeVarint();
		const number = Number(tag >> 3n);
		const value = takeVarint();
		const isVarint = (tag & 7n) === 0n;
		fields.push({ number, value: isVarint ? value : bytes.subarray(at, at + Number(value)) });
		if (!isVarint) at += Number(value);
	}
	return fields;
}

/** Changes the fields of a nested message. `path` lists the numbers of the fields that contain it. */
export function changeFields(
	bytes: Buffer,
	[number, ...path]: readonly number[],
	change: (fields: WireField[]) => readonly WireField[],
): Buffer {
	const fields = decodeFields(bytes);
	if (number === undefined) return encodeFields(change(fields));
	return encodeFields(
		fields.map((field) =>
			field.number === number && typeof field.value !== 'bigint'
				? { ...field, value: changeFields(field.value, path, change) }
				: field,
		),
	);
}
