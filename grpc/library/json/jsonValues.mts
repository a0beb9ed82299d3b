import { create, type DescMessage, type Message } from '@bufbuild/protobuf';
import {
	ListValueSchema,
	NullValue,
	StructSchema,
	ValueSchema,
	type ListValue,
	type Struct,
	type Value,
} from '@bufbuild/protobuf/wkt';
import { isRecord } from '../../../nodes/core';
import { getJsonForm } from '../descriptors/typeNames.mts';
import type { JsonPath } from './jsonPath.mts';
import { isUnicode, numberToJson, parseDouble } from './scalars.mts';

/** Builds a Value, ListValue or Struct from JSON; undefined for other types. */
export function buildValueMessage(
	type: DescMessage,
	json: unknown,
	path: JsonPath,
): Message | undefined {
	switch (type.typeName) {
		case ValueSchema.typeName:
			return create(ValueSchema, { kind: buildKind(json, path) });
		case ListValueSchema.typeName:
			return Array.isArray(json)
				? buildList(json, path)
				: path.throwInvalid(`${getJsonForm(type)}`, json);
		case StructSchema.typeName:
			return isRecord(json)
				? buildStruct(json, path)
				: path.throwInvalid(`${getJsonForm(type)}`, json);
		default:
			return undefined;
	}
}

function buildValue(json: unknown, path: JsonPath): Value {
	return create(ValueSchema, { kind: path.inMessage(() => buildKind(json, path)) });
}

function buildKind(json: unknown, path: JsonPath): Value['kind'] {
	if (json === null) return { case: 'nullValue', value: NullValue.NULL_VALUE };
	if (typeof json === 'boolean') return { case: 'boolValue', value: json };
	if (typeof json === 'string')
		return { case: 'stringValue', value: requireUnicode(json, json, path) };
	if (Array.isArray(json)) return { case: 'listValue', value: buildList(json, path) };
	if (isRecord(json)) return { case: 'structValue', value: buildStruct(json, path) };
	const value = parseDouble(json);
	if (value !== undefined) return { case: 'numberValue', value };
	return path.throwInvalid('a number that fits a double, or text', json);
}

function buildList(json: readonly unknown[], path: JsonPath): ListValue {
	const values = json.map((item, index) => path.inPart(`[${index}]`, () => buildValue(item, path)));
	return create(ListValueSchema, { values });
}

function buildStruct(json: Readonly<Record<string, unknown>>, path: JsonPath): Struct {
	const struct = create(StructSchema);
	for (const [key, item] of Object.entries(json)) {
		const value = path.inPart(key, () => buildValue(item, path));
		requireUnicode(key, json, path);
		Object.defineProperty(struct.fields, key, { value, enumerable: true });
	}
	return struct;
}

function requireUnicode(text: string, json: unknown, path: JsonPath): string {
	return isUnicode(text) ? text : path.throwInvalid('text without halves of characters', json);
}

/** An unset value becomes null. */
export function valueToJson({ kind }: Value): unknown {
	switch (kind.case) {
		case 'structValue':
			return structToJson(kind.value);
		case 'listValue':
			return listToJson(kind.value);
		case 'numberValue':
			return numberToJson(kind.value);
		case 'stringValue':
		case 'boolValue':
			return kind.value;
		default:
			return null;
	}
}

export function listToJson({ values }: ListValue): unknown[] {
	return values.map(valueToJson);
}

export function structToJson({ fields }: Struct): object {
	const entries = Object.entries(fields);
	return Object.fromEntries(entries.map(([name, value]) => [name, valueToJson(value)]));
}
