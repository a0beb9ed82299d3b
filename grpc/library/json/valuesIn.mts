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
import { isRecord } from '../../../nodes/core/values/parseJson';
import { jsonForm } from '../descriptors/typeNames.mts';
import type { Place } from './misfit.mts';
import { doubleIn } from './scalars.mts';

/** The messages that stand for JSON itself; undefined for other types. */
export function jsonIn(type: DescMessage, json: unknown, place: Place): Message | undefined {
	switch (type.typeName) {
		case ValueSchema.typeName:
			return valueIn(json, place);
		case ListValueSchema.typeName:
			return Array.isArray(json) ? listIn(json, place) : place.must(`${jsonForm(type)}`, json);
		case StructSchema.typeName:
			return isRecord(json) ? structIn(json, place) : place.must(`${jsonForm(type)}`, json);
		default:
			return undefined;
	}
}

function valueIn(json: unknown, place: Place): Value {
	return create(ValueSchema, { kind: kindIn(json, place) });
}

function kindIn(json: unknown, place: Place): Value['kind'] {
	if (json === null) return { case: 'nullValue', value: NullValue.NULL_VALUE };
	if (typeof json === 'boolean') return { case: 'boolValue', value: json };
	if (typeof json === 'string') return { case: 'stringValue', value: json };
	if (Array.isArray(json)) return { case: 'listValue', value: listIn(json, place) };
	if (isRecord(json)) return { case: 'structValue', value: structIn(json, place) };
	const value = doubleIn(json);
	if (value !== undefined) return { case: 'numberValue', value };
	return place.must('a number that fits a double, or text', json);
}

function listIn(json: readonly unknown[], place: Place): ListValue {
	const values = json.map((item, index) => place.in(`[${index}]`, () => valueIn(item, place)));
	return create(ListValueSchema, { values });
}

function structIn(json: Readonly<Record<string, unknown>>, place: Place): Struct {
	const struct = create(StructSchema);
	for (const [key, item] of Object.entries(json)) {
		const value = place.in(key, () => valueIn(item, place));
		Object.defineProperty(struct.fields, key, { value, enumerable: true });
	}
	return struct;
}
