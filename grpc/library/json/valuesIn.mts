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
import type { JsonPath } from './misfit.mts';
import { doubleIn } from './scalars/scalars.mts';

/** The messages that stand for JSON itself; undefined for other types. */
export function jsonIn(type: DescMessage, json: unknown, path: JsonPath): Message | undefined {
	switch (type.typeName) {
		case ValueSchema.typeName:
			return valueIn(json, path);
		case ListValueSchema.typeName:
			return Array.isArray(json) ? listIn(json, path) : path.must(`${jsonForm(type)}`, json);
		case StructSchema.typeName:
			return isRecord(json) ? structIn(json, path) : path.must(`${jsonForm(type)}`, json);
		default:
			return undefined;
	}
}

function valueIn(json: unknown, path: JsonPath): Value {
	return create(ValueSchema, { kind: kindIn(json, path) });
}

function kindIn(json: unknown, path: JsonPath): Value['kind'] {
	if (json === null) return { case: 'nullValue', value: NullValue.NULL_VALUE };
	if (typeof json === 'boolean') return { case: 'boolValue', value: json };
	if (typeof json === 'string') return { case: 'stringValue', value: json };
	if (Array.isArray(json)) return { case: 'listValue', value: listIn(json, path) };
	if (isRecord(json)) return { case: 'structValue', value: structIn(json, path) };
	const value = doubleIn(json);
	if (value !== undefined) return { case: 'numberValue', value };
	return path.must('a number that fits a double, or text', json);
}

function listIn(json: readonly unknown[], path: JsonPath): ListValue {
	const values = json.map((item, index) => path.in(`[${index}]`, () => valueIn(item, path)));
	return create(ListValueSchema, { values });
}

function structIn(json: Readonly<Record<string, unknown>>, path: JsonPath): Struct {
	const struct = create(StructSchema);
	for (const [key, item] of Object.entries(json)) {
		const value = path.in(key, () => valueIn(item, path));
		Object.defineProperty(struct.fields, key, { value, enumerable: true });
	}
	return struct;
}
