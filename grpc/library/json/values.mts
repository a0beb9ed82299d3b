import type { ListValue, Struct, Value } from '@bufbuild/protobuf/wkt';
import { numberAsJson } from './scalars/numbers.mts';

/** The JSON that a message stands for. A value that is not set says nothing, and is null. */
export function valueJson({ kind }: Value): unknown {
	switch (kind.case) {
		case 'structValue':
			return structJson(kind.value);
		case 'listValue':
			return listJson(kind.value);
		case 'numberValue':
			return numberAsJson(kind.value);
		case 'stringValue':
		case 'boolValue':
			return kind.value;
		default:
			return null;
	}
}

export function listJson({ values }: ListValue): unknown[] {
	return values.map(valueJson);
}

export function structJson({ fields }: Struct): object {
	const entries = Object.entries(fields);
	return Object.fromEntries(entries.map(([name, value]) => [name, valueJson(value)]));
}
