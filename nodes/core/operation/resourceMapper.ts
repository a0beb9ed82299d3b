import { isRecord, type Parse, InvalidValue } from '../values/parse';

/**
 * Parses the values of a resource mapper, by field ID. Fields that the user removed are left out. A workflow may also
 * contain the values directly.
 */
export const parseResourceMapper: Parse = (given) => {
	if (!isRecord(given) || !('mappingMode' in given) || !('value' in given)) return given;
	if (given.mappingMode === 'autoMapInputData') throw new InvalidValue(EXPECTED_MANUAL_MODE);
	const { value, schema } = given;
	if (!isRecord(value) || !Array.isArray(schema)) return value;
	const removed = new Set(schema.filter(isRemoved).map(({ id }) => id));
	return Object.fromEntries(Object.entries(value).filter(([id]) => !removed.has(id)));
};

/** The editor offers only the mode `defineBelow`, but a workflow from elsewhere may contain another mode. */
const EXPECTED_MANUAL_MODE = 'a value for each field (mappingMode: defineBelow)';

function isRemoved(field: unknown): field is { readonly id: unknown } {
	return isRecord(field) && field.removed === true;
}
