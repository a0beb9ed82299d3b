import { catching, InvalidValue, isRecord, type Parse } from './parse';
import { raise } from '../errors/raise';

/** Parses an object that may have only known keys. Other keys are refused, because their values would not be signed. */
export function parseKnownObject(
	given: unknown,
	name: string,
	keys: readonly string[],
): Readonly<Record<string, unknown>> {
	if (!isRecord(given)) throw new InvalidValue(`a ${name} as a JSON object`);
	const other = Object.keys(given).find((key) => !keys.includes(key));
	return other === undefined
		? given
		: raise(
				new InvalidValue(
					`a ${name} with known fields only: remove ${JSON.stringify(other.slice(0, 40))}`,
				),
			);
}

/** Makes a parser for the fields of an object, such as a transfer. Its error messages name the field. */
export function memberParser(whole: string) {
	return <T>(name: string, given: unknown, parse: Parse<T>): T => {
		const value = catching(InvalidValue, () => parse(given));
		return value instanceof InvalidValue
			? raise(new InvalidValue(`a ${whole} whose ${name} is ${value.message}`, value.advice))
			: value;
	};
}
