import {
	fromJson,
	ScalarType,
	type DescExtension,
	type DescField,
	type DescMessage,
	type JsonValue,
	type Message,
	type Registry,
} from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation, isWrapperDesc, ValueSchema } from '@bufbuild/protobuf/wkt';
import { isRecord } from '../../nodes/core/values/parseJson';
import { decimal, isDouble, mapValues } from '../nodes/Grpc/exactJson';

/** The protobuf library goes no deeper. */
export const DEEPEST = 100;

const ANY_JSON: ReadonlySet<string> = new Set([
	'google.protobuf.Struct',
	'google.protobuf.Value',
	'google.protobuf.ListValue',
]);

/** The message that JSON stands for, with each digit and bit of it, or an error. See `exactJson` for its numbers. */
export function faithful(type: DescMessage, json: unknown, registry: Registry): Message {
	const plain = new PlainJson(registry).message(type, json);
	return fromJson(type, plain as JsonValue, { registry });
}

export function fieldOf(
	type: DescMessage,
	key: string,
	registry: Registry,
): DescField | DescExtension | undefined {
	return (
		type.fields.find(({ name, jsonName }) => key === name || key === jsonName) ??
		(key.startsWith('[') ? registry.getExtension(key.slice(1, -1)) : undefined)
	);
}

/** The type of what an Any holds, if it is known. */
export function heldType(
	any: Record<string, unknown>,
	registry: Registry,
): DescMessage | undefined {
	const url = any['@type'];
	return typeof url === 'string' ? registry.getMessage(typeIn(url)) : undefined;
}

/** The name of the type that the URL in an Any stands for. */
export function typeIn(url: string): string {
	return url.slice(url.lastIndexOf('/') + 1);
}

export function isAnyJson(type: DescMessage): boolean {
	return ANY_JSON.has(type.typeName);
}

/** Turns exact numbers into what their fields take. What suits no field stays, and the protobuf library refuses it. */
class PlainJson {
	private depth = 0;

	constructor(private readonly registry: Registry) {}

	message(type: DescMessage, json: unknown): unknown {
		this.depth++;
		const plain = this.depth > DEEPEST ? json : this.contents(type, json);
		this.depth--;
		return plain;
	}

	private contents(type: DescMessage, json: unknown): unknown {
		if (isWrapperDesc(type)) return scalar(type.fields[0].scalar, json);
		if (isAnyJson(type)) return this.anyJson(json);
		if (!isRecord(json)) return json;
		if (type.typeName === 'google.protobuf.Any') return this.held(json);
		return mapValues(json, (value, key) => {
			const field = fieldOf(type, key, this.registry);
			return field ? this.field(field, value) : value;
		});
	}

	private held(any: Record<string, unknown>): unknown {
		const type = heldType(any, this.registry);
		if (!type) return any;
		return hasCustomJsonRepresentation(type)
			? mapValues(any, (value, key) => (key === 'value' ? this.message(type, value) : value))
			: this.message(type, any);
	}

	private anyJson(json: unknown): unknown {
		if (Array.isArray(json)) return json.map((item) => this.message(ValueSchema, item));
		if (isRecord(json)) return mapValues(json, (item) => this.message(ValueSchema, item));
		if (typeof json === 'number' && !Number.isFinite(json)) throw new Error(`${json} is no JSON`);
		return typeof json === 'symbol' && isDouble(textOf(json)) ? Number(textOf(json)) : json;
	}

	private field(field: DescField | DescExtension, value: unknown): unknown {
		const one = (item: unknown) => this.single(field, item);
		if (field.fieldKind === 'list' && Array.isArray(value)) return value.map(one);
		if (field.fieldKind === 'map' && isRecord(value)) return mapValues(value, one);
		return one(value);
	}

	private single({ message, scalar: type }: DescField | DescExtension, value: unknown): unknown {
		if (message) return this.message(message, value);
		return type === undefined ? value : scalar(type, value);
	}
}

function scalar(type: ScalarType, value: unknown): unknown {
	switch (type) {
		case ScalarType.BOOL:
		case ScalarType.STRING:
			return value;
		case ScalarType.BYTES:
			return typeof value === 'string' ? wholeBytes(value) : value;
		case ScalarType.DOUBLE:
		case ScalarType.FLOAT:
			if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
			return typeof value === 'symbol' ? textOf(value) : value;
		default:
			return integer(value);
	}
}

function integer(value: unknown): unknown {
	if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new Error(`${value} may have lost digits`);
	}
	const digits = typeof value === 'symbol' ? decimal(textOf(value)) : '';
	return /^-?\d+$/.test(digits) ? digits : value;
}

/** The protobuf library drops what does not fill a byte, and begins anew after padding. */
function wholeBytes(text: string): string {
	const bare = text.replace(/[ \n\r\t]/g, '').replace(/={1,2}$/, '');
	const usual = bare.replaceAll('-', '+').replaceAll('_', '/');
	const again = Buffer.from(usual, 'base64').toString('base64').replace(/=+$/, '');
	if (again !== usual || isHex(text)) throw new Error('no base64');
	return text;
}

/** Such text is base64 too when its length suits, but so long never by chance. */
function isHex(text: string): boolean {
	return /^0x[\da-f]{20,}$/i.test(text);
}

function textOf(number: symbol): string {
	return String(number.description);
}
