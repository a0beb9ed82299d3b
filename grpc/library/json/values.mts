import type { ListValue, Struct, Value } from '@bufbuild/protobuf/wkt';
import { numberToJson } from './scalars/numbers.mts';

/** The JSON that a message stands for. A value that is not set says nothing, and is null. */
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
