import { isRecord, parseJsonValue, type Parse } from '../../../nodes/core';

/** Parses what is given by itself, or in its item, where it has this name. */
export function itemParser<T>(name: string, parse: Parse<T>): Parse<T> {
	return (raw) => {
		const given = parseJsonValue(raw);
		return parse(isRecord(given) && isRecord(given[name]) ? given[name] : given);
	};
}
