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
import { jsonForm } from '../descriptors/typeNames.mts';
import type { JsonPath } from './jsonPath.mts';
import { isUnicode, numberToJson, parseDouble } from './scalars.mts';

/** A Value, ListValue or Struct of JSON; undefined for other types. */
export function valueMessage(
	type: DescMessage,
	json: unknown,
	path: JsonPath,
): Message | undefined {
	switch (type.typeName) {
		case ValueSchema.typeName:
			return create(ValueSchema, { kind: kindFromJson(json, path) });
		case ListValueSchema.typeName:
			return Array.isArray(json)
				? listFromJson(json, path)
				: path.mustBe(`${jsonForm(type)}`, json);
		case StructSchema.typeName:
			return isRecord(json) ? structFromJson(json, path) : path.mustBe(`${jsonForm(type)}`, json);
		default:
			return undefined;
	}
}

function valueFromJson(json: unknown, path: JsonPath): Value {
	return create(ValueSchema, { kind: path.inMessage(() => kindFromJson(json, path)) });
}

function kindFromJson(json: unknown, path: JsonPath): Value['kind'] {
	if (json === null) return { case: 'nullValue', value: NullValue.NULL_VALUE };
	if (typeof json === 'boolean') return { case: 'boolValue', value: json };
	if (typeof json === 'string') return { case: 'stringValue', value: whole(json, json, path) };
	if (Array.isArray(json)) return { case: 'listValue', value: listFromJson(json, path) };
	if (isRecord(json)) return { case: 'structValue', value: structFromJson(json, path) };
	const value = parseDouble(json);
	if (value !== undefined) return { case: 'numberValue', value };
	return path.mustBe('a number that fits a double, or text', json);
}

function listFromJson(json: readonly unknown[], path: JsonPath): ListValue {
	const values = json.map((item, index) => path.in(`[${index}]`, () => valueFromJson(item, path)));
	return create(ListValueSchema, { values });
}

function structFromJson(json: Readonly<Record<string, unknown>>, path: JsonPath): Struct {
	const struct = create(StructSchema);
	for (const [key, item] of Object.entries(json)) {
		const value = path.in(key, () => valueFromJson(item, path));
		whole(key, json, path);
		Object.defineProperty(struct.fields, key, { value, enumerable: true });
	}
	return struct;
}

function whole(text: string, json: unknown, path: JsonPath): string {
	return isUnicode(text) ? text : path.mustBe('text without halves of characters', json);
}

/** A value that is not set is null. */
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
