import { decodeBase58Check } from '../values/base58';
import { isRecord, InvalidValue } from '../values/parse';
import { formatWitnessAddresses } from './address';
import {
	decodeMessage,
	unreadableError,
	type MessageField,
	type MessageFields,
	type FieldType,
	type Message,
	type WireValue,
} from './protobuf';
import { raise } from '../errors/raise';

const VARINT = 0;
const LENGTH_DELIMITED = 2;

export function defineField<T>(number: number, type: FieldType<T>): MessageField<T> {
	return { number, type };
}

function buildBytesType<T>(
	decode: (bytes: Buffer, name: string) => T,
	parse: FieldType<T>['parse'],
): FieldType<T> {
	return {
		wire: LENGTH_DELIMITED,
		decode: ([only = Buffer.alloc(0)], name) => {
			const bytes = only as Buffer;
			return bytes.length > 0 ? decode(bytes, name) : raise(unreadableError(`${name} is empty`));
		},
		parse,
	};
}

function buildVarintType<T>(
	missing: T,
	decode: (value: bigint, name: string) => T,
	parse: FieldType<T>['parse'],
): FieldType<T> {
	return {
		wire: VARINT,
		defaultValue: missing,
		decode: ([only = 0n], name) => {
			const value = only as bigint;
			return value === 0n
				? raise(unreadableError(`${name} is a zero that is written out`))
				: decode(value, name);
		},
		parse,
	};
}

const ADDRESS_PATTERN = /^41[0-9a-f]{40}$/;
const BASE58_ADDRESS_CHARS = 34;
const HEX_PATTERN = /^[0-9a-f]*$/i;

/**
 * An address. In bytes it is 42 hex digits that begin with 41. In JSON it is base58 if the JSON has `visible: true`,
 * and otherwise these digits.
 */
export const addressType: FieldType<string> = {
	...buildBytesType(
		(bytes, name) => {
			const hex = bytes.toString('hex');
			return ADDRESS_PATTERN.test(hex)
				? hex
				: raise(unreadableError(`${name} is no address of 21 bytes`));
		},
		(json, isVisible, name) => {
			const given = findHexDigits(isVisible ? decodeShortBase58(requireText(json, name)) : json);
			return given && ADDRESS_PATTERN.test(given) ? given : raise(mismatchError(name, json));
		},
	),
	format: (hex, isVisible) => (isVisible ? formatWitnessAddresses(hex.slice(2)).base58 : hex),
};

/** Bytes, written as hex digits without 0x, also in JSON. */
export const hexBytesType: FieldType<string> = {
	...buildBytesType(
		(value) => value.toString('hex'),
		(json, _isVisible, name) => findHexDigits(json) ?? raise(mismatchError(name, json)),
	),
	defaultValue: '',
};

/** A text in UTF-8. In JSON it is the text itself if the JSON has `visible: true`, and otherwise hex. */
export const textType: FieldType<string> = {
	...buildBytesType(decodeUtf8, (json, isVisible, name) => {
		if (isVisible) return requireText(json, name);
		return decodeUtf8(
			Buffer.from(findHexDigits(json) ?? raise(mismatchError(name, json)), 'hex'),
			name,
		);
	}),
	defaultValue: '',
	format: (value, isVisible) => (isVisible ? value : Buffer.from(value).toString('hex')),
};

/** A text in UTF-8 that is always written as text in JSON. */
export const plainTextType: FieldType<string> = {
	...buildBytesType(decodeUtf8, (json, _isVisible, name) => requireText(json, name)),
	defaultValue: '',
};

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_INT32 = 2n ** 31n - 1n;

/** Builds the type of an integer. The chain refuses negative values. */
const buildIntegerType = (most: bigint) =>
	buildVarintType(
		0n,
		(value, name) =>
			value <= most ? value : raise(unreadableError(`${name} is negative or too large`)),
		(json, _isVisible, name) => findInteger(json) ?? raise(mismatchError(name, json)),
	);

export const int64Type = buildIntegerType(MAX_INT64);
export const int32Type = buildIntegerType(MAX_INT32);

/** A boolean. In bytes, false is left out. In JSON, false may be written. */
export const booleanType = buildVarintType(
	false,
	(value, name) => value === 1n || raise(unreadableError(`${name} is neither true nor false`)),
	(json, _isVisible, name) => (typeof json === 'boolean' ? json : raise(mismatchError(name, json))),
);

/**
 * Builds the type of a choice, which is written as a number. A missing field means `missing`. If `missing` is
 * undefined, the field is required.
 */
export function choiceType<Name extends string>(
	names: Readonly<Record<number, Name>>,
	missing?: Name,
): FieldType<Name> {
	return {
		...buildVarintType<Name | undefined>(
			missing,
			(value, name) =>
				names[Number(value)] ?? raise(unreadableError(`${name} is ${value}, which is not known`)),
			(json, _isVisible, name) =>
				Object.values(names).find((one) => one === json) ?? raise(mismatchError(name, json)),
		),
	} as FieldType<Name>;
}

export function messageType<F extends MessageFields>(fields: F): FieldType<Message<F>> {
	return {
		wire: LENGTH_DELIMITED,
		decode: ([only = Buffer.alloc(0)], name) => decodeMessage(fields, only as Buffer, name),
		parse: (json, isVisible, name) => parseMessageJson(fields, json, isVisible, name),
		format: (message, isVisible) => formatMessageJson(fields, message, isVisible),
	};
}

/**
 * The most entries of a list. The chain accepts at most this many votes in a transaction. The only other list, that of
 * its contracts, has one entry.
 */
const MAX_LIST_ENTRIES = 30;

export function listType<T>(one: FieldType<T>): FieldType<readonly T[]> {
	const each = <From, To>(
		values: readonly From[],
		name: string,
		read: (a: From, b: string) => To,
	) => {
		if (values.length > MAX_LIST_ENTRIES)
			throw unreadableError(
				`${name} has ${values.length} entries; the chain allows ${MAX_LIST_ENTRIES}`,
			);
		return values.map((value, index) => read(value, `${name}[${index}]`));
	};
	return {
		wire: one.wire,
		isRepeated: true,
		defaultValue: [],
		decode: (written, name) =>
			each(written, name, (value: WireValue, label) => one.decode([value], label)),
		parse: (json, isVisible, name) =>
			Array.isArray(json)
				? each(json as unknown[], name, (value, label) => one.parse(value, isVisible, label))
				: raise(mismatchError(name, json)),
		format: (values, isVisible) => values.map((value) => formatJson(one, value, isVisible)),
	};
}

/** Parses a message from JSON. A missing field gets its default value, and an unknown field is refused. */
export function parseMessageJson<F extends MessageFields>(
	fields: F,
	json: unknown,
	isVisible: boolean,
	name: string,
): Message<F> {
	if (!isRecord(json)) throw mismatchError(name, json);
	const other = Object.keys(json).find((key) => !Object.hasOwn(fields, key));
	if (other !== undefined)
		throw new InvalidValue(
			`a transaction that matches its raw_data_hex: ${name}.${other} is not in raw_data_hex`,
		);
	const entries = Object.entries(fields).map(([key, { type }]) => {
		const label = `${name}.${key}`;
		if (json[key] !== undefined) return [key, type.parse(json[key], isVisible, label)];
		return [key, type.defaultValue ?? raise(mismatchError(label, undefined))];
	});
	return Object.fromEntries(entries) as Message<F>;
}

/** Formats a message as the JSON of a request. Like the chain, it leaves out values that are false or zero. */
export function formatMessageJson(
	fields: MessageFields,
	message: Readonly<Record<string, unknown>>,
	isVisible: boolean,
): Readonly<Record<string, unknown>> {
	const given = Object.entries(fields).filter(([key]) => message[key]);
	return Object.fromEntries(
		given.map(([key, { type }]) => [key, formatJson(type, message[key], isVisible)]),
	);
}

function formatJson<T>(type: FieldType<T>, value: T, isVisible: boolean): unknown {
	return type.format ? type.format(value, isVisible) : value;
}

export function mismatchError(name: string, json: unknown) {
	const said = json === undefined ? 'is missing' : 'is of another form';
	return new InvalidValue(`a transaction that matches its raw_data_hex: ${name} ${said}`);
}

function decodeUtf8(value: Buffer, name: string): string {
	const decoded = value.toString();
	return Buffer.from(decoded).equals(value)
		? decoded
		: raise(unreadableError(`${name} is no UTF-8`));
}

function requireText(json: unknown, name: string): string {
	return typeof json === 'string' ? json : raise(mismatchError(name, json));
}

/** Decodes base58 only if the text has the length of an address. Decoding a very long text would take long. */
function decodeShortBase58(given: string): Buffer | undefined {
	return given.length === BASE58_ADDRESS_CHARS ? decodeBase58Check(given) : undefined;
}

function findHexDigits(json: unknown): string | undefined {
	if (Buffer.isBuffer(json)) return json.toString('hex');
	const isHex = typeof json === 'string' && json.length % 2 === 0 && HEX_PATTERN.test(json);
	return isHex ? json.toLowerCase() : undefined;
}

/** Parses an integer. It is a number, or a text if a number would lose digits. */
function findInteger(json: unknown): bigint | undefined {
	if (typeof json === 'number') {
		return Number.isSafeInteger(json) && json >= 0 ? BigInt(json) : undefined;
	}
	return typeof json === 'string' && /^(0|[1-9]\d{0,18})$/.test(json) ? BigInt(json) : undefined;
}
