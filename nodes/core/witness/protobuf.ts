import { InvalidValue } from '../values/parse';
import { raise } from '../errors/raise';

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** The type of a field: how its value is written in protobuf, and how in the JSON of the chain's nodes. */
export interface FieldType<T> {
	readonly wire: typeof VARINT | typeof LENGTH_DELIMITED;
	/** The value that a missing field means. Undefined if the field is required. */
	readonly defaultValue?: T;
	readonly isRepeated?: boolean;
	/**
	 * Decodes the values that are written for a field. Throws InvalidValue, whose message contains the name of the
	 * field.
	 */
	decode(written: readonly WireValue[], name: string): T;
	parse(json: unknown, isVisible: boolean, name: string): T;
	/** Formats a value for the JSON of a request. By default, the value is not changed. */
	format?(value: T, isVisible: boolean): unknown;
}

export interface MessageField<T = unknown> {
	readonly number: number;
	readonly type: FieldType<T>;
}

/** The fields of a message in the order of their numbers. The keys are their names in the chain's JSON. */
export type MessageFields = Readonly<Record<string, MessageField>>;

export type Message<F extends MessageFields> = {
	readonly [Name in keyof F]: F[Name] extends MessageField<infer T> ? T : never;
};

/** A value that is written in protobuf. A varint is a bigint, and any other value is bytes. */
export type WireValue = bigint | Buffer;

export function unreadableError(reason: string) {
	return new InvalidValue(`a transaction that can be read to its last byte: ${reason}`);
}

/**
 * Decodes a message that is encoded as the chain's own nodes do it: with the known fields in their order, each at most once, without
 * default values. Any other bytes are refused, because another decoder might read them differently.
 */
export function decodeMessage<F extends MessageFields>(fields: F, bytes: Buffer, name: string) {
	const written = decodeFields(bytes, name);
	const known = new Set(Object.values(fields).map(({ number }) => number));
	for (const number of written.keys()) {
		if (!known.has(number))
			throw unreadableError(`${name} has a field ${number}, which is not known`);
	}
	const entries = Object.entries(fields).map(([key, { number, type }]) => {
		const values = written.get(number) ?? [];
		return [key, decodeField(type, values, `${name}.${key}`)] as const;
	});
	return Object.fromEntries(entries) as Message<F>;
}

function decodeField<T>(type: FieldType<T>, values: readonly WireValue[], name: string): T {
	if (values.length > 1 && !type.isRepeated) throw unreadableError(`${name} is there twice`);
	const isOther = (value: WireValue) => (typeof value === 'bigint') !== (type.wire === VARINT);
	if (values.some(isOther)) throw unreadableError(`${name} is of another type`);
	if (values.length > 0) return type.decode(values, name);
	return type.defaultValue === undefined
		? raise(unreadableError(`${name} is missing`))
		: type.defaultValue;
}

/** Decodes the values of each field, keyed by the number of the field. */
function decodeFields(bytes: Buffer, name: string): Map<number, WireValue[]> {
	const found = new Map<number, WireValue[]>();
	const reader = new ProtobufReader(bytes, name);
	let last = 0;
	while (!reader.isAtEnd) {
		const { number, value } = reader.takeField();
		if (number < last) throw unreadableError(`the fields of ${name} are out of order`);
		last = number;
		const values = found.get(number);
		if (values) values.push(value);
		else found.set(number, [value]);
	}
	return found;
}

/**
 * Returns the bytes of a message after replacing the given fields. The other fields stay unchanged, and all fields are in the order of
 * their numbers.
 */
export function replaceFields(
	bytes: Buffer,
	replaced: ReadonlyArray<readonly [number: number, value: WireValue]>,
): Buffer {
	const fields = decodeFields(bytes, 'message');
	for (const [number, value] of replaced) fields.set(number, [value]);
	const inOrder = [...fields].sort(([one], [other]) => one - other);
	return Buffer.concat(
		inOrder.flatMap(([number, values]) => values.map((value) => encodeField(number, value))),
	);
}

function encodeField(number: number, value: WireValue): Buffer {
	const isNumber = typeof value === 'bigint';
	const tag = BigInt(number * 8 + (isNumber ? VARINT : LENGTH_DELIMITED));
	return isNumber
		? Buffer.concat([tag, value].map(encodeVarint))
		: Buffer.concat([...[tag, BigInt(value.length)].map(encodeVarint), value]);
}

const VARINT_BITS = 7n;

function encodeVarint(value: bigint): Buffer {
	const bytes: number[] = [];
	let rest = value;
	while (rest >> VARINT_BITS > 0n) {
		bytes.push(Number(BigInt.asUintN(7, rest)) | 0x80);
		rest >>= VARINT_BITS;
	}
	return Buffer.from([...bytes, Number(rest)]);
}

const MAX_VARINT_BYTES = 10;
const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_FIELD_NUMBER = 2n ** 29n;

class ProtobufReader {
	private at = 0;

	constructor(
		private readonly bytes: Buffer,
		private readonly name: string,
	) {}

	get isAtEnd(): boolean {
		return this.at >= this.bytes.length;
	}

	takeField(): { readonly number: number; readonly value: WireValue } {
		const tag = this.takeVarint();
		const number = Number(tag >> 3n);
		if (number === 0 || tag >> 3n >= MAX_FIELD_NUMBER)
			throw unreadableError(`${this.name} has no such field`);
		const wire = Number(tag & 7n);
		if (wire === VARINT) return { number, value: this.takeVarint() };
		if (wire === LENGTH_DELIMITED) return { number, value: this.takeBytes() };
		throw unreadableError(`field ${number} of ${this.name} is of wire type ${wire}`);
	}

	private takeVarint(): bigint {
		let value = 0n;
		for (let index = 0; index < MAX_VARINT_BYTES; index++) {
			const byte = this.bytes[this.at++];
			if (byte === undefined) throw unreadableError(`${this.name} ends too early`);
			value |= BigInt(byte & 0x7f) << BigInt(7 * index);
			if (byte & 0x80) continue;
			const isPadded = byte === 0 && index > 0;
			if (isPadded) throw unreadableError(`a number in ${this.name} has more bytes than it needs`);
			if (value <= MAX_UINT64) return value;
			break;
		}
		throw unreadableError(`a number in ${this.name} is too large`);
	}

	private takeBytes(): Buffer {
		const length = this.takeVarint();
		const start = this.at;
		if (length > BigInt(this.bytes.length - start))
			throw unreadableError(`${this.name} ends too early`);
		this.at += Number(length);
		return this.bytes.subarray(start, this.at);
	}
}
