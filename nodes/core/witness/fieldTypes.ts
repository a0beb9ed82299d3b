import { fromBase58Check } from '../values/addresses';
import { isRecord, mustBe } from '../values/read';
import {
	decodeMessage,
	unreadable,
	type Field,
	type Fields,
	type FieldType,
	type Message,
	type Written,
} from './protobuf';

const VARINT = 0;
const LENGTH_DELIMITED = 2;

export function field<T>(number: number, type: FieldType<T>): Field<T> {
	return { number, type };
}

function bytesType<T>(
	decode: (bytes: Buffer, name: string) => T,
	parse: FieldType<T>['parse'],
): FieldType<T> {
	return {
		wire: LENGTH_DELIMITED,
		decode: ([only = Buffer.alloc(0)], name) => {
			const bytes = only as Buffer;
			return bytes.length > 0 ? decode(bytes, name) : unreadable(`${name} is empty`);
		},
		parse,
	};
}

function varintType<T>(
	missing: T,
	decode: (value: bigint, name: string) => T,
	parse: FieldType<T>['parse'],
): FieldType<T> {
	return {
		wire: VARINT,
		missing,
		decode: ([only = 0n], name) => {
			const value = only as bigint;
			return value === 0n
				? unreadable(`${name} is a zero that is written out`)
				: decode(value, name);
		},
		parse,
	};
}

const ADDRESS = /^41[0-9a-f]{40}$/;
const BASE58_LENGTH = 34;
const HEX = /^[0-9a-f]*$/i;

/** 42 hex digits that begin with 41; in JSON base58 if visible. */
export const address = bytesType(
	(bytes, name) => {
		const hex = bytes.toString('hex');
		return ADDRESS.test(hex) ? hex : unreadable(`${name} is no address of 21 bytes`);
	},
	(json, isVisible, name) => {
		const given = hexDigits(isVisible ? fromBase58(textOf(json, name)) : json);
		return given && ADDRESS.test(given) ? given : mismatched(name, json);
	},
);

/** Hex digits without 0x, in JSON too. */
export const bytes: FieldType<string> = {
	...bytesType(
		(value) => value.toString('hex'),
		(json, _isVisible, name) => hexDigits(json) ?? mismatched(name, json),
	),
	missing: '',
};

/** UTF-8; in JSON text if visible, else hex. */
export const text: FieldType<string> = {
	...bytesType(unicode, (json, isVisible, name) => {
		if (isVisible) return textOf(json, name);
		return unicode(Buffer.from(hexDigits(json) ?? mismatched(name, json), 'hex'), name);
	}),
	missing: '',
};

/** Text in both. */
export const word: FieldType<string> = {
	...bytesType(unicode, (json, _isVisible, name) => textOf(json, name)),
	missing: '',
};

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_INT32 = 2n ** 31n - 1n;

/** Never negative: what would be, the chain refuses. */
const integer = (most: bigint) =>
	varintType(
		0n,
		(value, name) => (value <= most ? value : unreadable(`${name} is negative or too large`)),
		(json, _isVisible, name) => integerIn(json) ?? mismatched(name, json),
	);

export const int64 = integer(MAX_INT64);
export const int32 = integer(MAX_INT32);

/** By their numbers; the first is the default. Undefined where there is none. */
export function choice<Name extends string>(
	names: Readonly<Record<number, Name>>,
	missing?: Name,
): FieldType<Name> {
	return {
		...varintType<Name | undefined>(
			missing,
			(value, name) =>
				names[Number(value)] ?? unreadable(`${name} is ${value}, which is not known`),
			(json, _isVisible, name) =>
				Object.values(names).find((one) => one === json) ?? mismatched(name, json),
		),
	} as FieldType<Name>;
}

export function message<F extends Fields>(fields: F): FieldType<Message<F>> {
	return {
		wire: LENGTH_DELIMITED,
		decode: ([only = Buffer.alloc(0)], name) => decodeMessage(fields, only as Buffer, name),
		parse: (json, isVisible, name) => parseMessage(fields, json, isVisible, name),
	};
}

export function listOf<T>(one: FieldType<T>): FieldType<readonly T[]> {
	const each = <From, To>(
		values: readonly From[],
		name: string,
		read: (a: From, b: string) => To,
	) => values.map((value, index) => read(value, `${name}[${index}]`));
	return {
		wire: one.wire,
		isRepeated: true,
		missing: [],
		decode: (written, name) =>
			each(written, name, (value: Written, label) => one.decode([value], label)),
		parse: (json, isVisible, name) =>
			Array.isArray(json)
				? each(json as unknown[], name, (value, label) => one.parse(value, isVisible, label))
				: mismatched(name, json),
	};
}

/** Fields that are not there have their defaults; there must be no others. */
export function parseMessage<F extends Fields>(
	fields: F,
	json: unknown,
	isVisible: boolean,
	name: string,
): Message<F> {
	if (!isRecord(json)) return mismatched(name, json);
	const other = Object.keys(json).find((key) => !Object.hasOwn(fields, key));
	if (other !== undefined) mustBe(`what its raw_data_hex says, which has no ${name}.${other}`);
	const entries = Object.entries(fields).map(([key, { type }]) => {
		const label = `${name}.${key}`;
		if (json[key] !== undefined) return [key, type.parse(json[key], isVisible, label)];
		return [key, type.missing ?? mismatched(label, undefined)];
	});
	return Object.fromEntries(entries) as Message<F>;
}

export function mismatched(name: string, json: unknown): never {
	const said = json === undefined ? 'is missing' : 'is of another form';
	return mustBe(`what its raw_data_hex says: ${name} ${said}`);
}

function unicode(value: Buffer, name: string): string {
	const decoded = value.toString();
	return Buffer.from(decoded).equals(value) ? decoded : unreadable(`${name} is no UTF-8`);
}

function textOf(json: unknown, name: string): string {
	return typeof json === 'string' ? json : mismatched(name, json);
}

/** Endless text would take long. */
function fromBase58(given: string): Buffer | undefined {
	return given.length === BASE58_LENGTH ? fromBase58Check(given) : undefined;
}

function hexDigits(json: unknown): string | undefined {
	if (Buffer.isBuffer(json)) return json.toString('hex');
	const isHex = typeof json === 'string' && json.length % 2 === 0 && HEX.test(json);
	return isHex ? json.toLowerCase() : undefined;
}

/** A number, or text where a number would lose digits. */
function integerIn(json: unknown): bigint | undefined {
	if (typeof json === 'number') {
		return Number.isSafeInteger(json) && json >= 0 ? BigInt(json) : undefined;
	}
	return typeof json === 'string' && /^(0|[1-9]\d{0,18})$/.test(json) ? BigInt(json) : undefined;
}
