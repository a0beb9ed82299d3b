import { isRecord, type Read } from '../values/read';

/**
 * The values of a resource mapper by the IDs of its fields, without those of fields that the user has removed. A workflow
 * may hold the values themselves.
 */
export const mapped: Read = (given) => {
	if (!isRecord(given) || !('mappingMode' in given) || !('value' in given)) return given;
	const { value, schema } = given;
	if (!isRecord(value) || !Array.isArray(schema)) return value;
	const removed = new Set(schema.filter(isRemoved).map(({ id }) => id));
	return Object.fromEntries(Object.entries(value).filter(([id]) => !removed.has(id)));
};

function isRemoved(field: unknown): field is { readonly id: unknown } {
	return isRecord(field) && field.removed === true;
}
