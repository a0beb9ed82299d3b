import { ScalarType, type DescEnum, type DescField } from '@bufbuild/protobuf';
import { formatExcerpt, InvalidValue, formatNames } from '../../../nodes/core';
import { getValueNames } from '../descriptors/typeNames.mts';

/** Other libraries read messages to this depth; in a request, each level of a Value counts as one. */
export const MAX_DEPTH = 100;
/** The limit of JSON levels: between two messages is at most a list or a map, and around them a list of requests. */
export const MAX_LEVELS = 2 * MAX_DEPTH + 1;
const MAX_SHOWN_PARTS = 10;

/** The reader's current place in the JSON, such as `transfers[2].amount`. */
export class JsonPath {
	private messages = 0;

	constructor(private readonly parts: string[] = []) {}

	/** Enters a part during the action; after a throw, the path still names the part. */
	inPart<T>(part: string, action: () => T): T {
		if (this.parts.push(part) > MAX_LEVELS) this.throwTooDeep();
		const result = action();
		this.parts.pop();
		return result;
	}

	/** Enters a message, or a Value, during the action. */
	inMessage<T>(action: () => T): T {
		if (++this.messages > MAX_DEPTH) this.throwTooDeep();
		const result = action();
		this.messages--;
		return result;
	}

	/** The message shows the beginning of the path. */
	throwTooDeep(): never {
		const beginning = new JsonPath([...this.parts.slice(0, MAX_SHOWN_PARTS), '…']);
		return beginning.throwFault(`is nested deeper than ${MAX_DEPTH} messages`);
	}

	throwInvalid(expected: string, value: unknown): never {
		throw new InvalidValue(
			`${this.toString() || 'it'} must be ${expected}; got ${formatJsonExcerpt(value)}`,
		);
	}

	throwFault(fault: string): never {
		const path = this.toString();
		throw new InvalidValue(path ? `${path} ${fault}` : fault);
	}

	toString(): string {
		return this.parts.join('.').replaceAll('.[', '[');
	}
}

/** Describes what a field accepts, or each item of a list or map. */
export function formatExpectedValue({
	enum: choice,
	scalar,
}: Pick<DescField, 'enum' | 'scalar'>): string {
	if (choice) return formatChoice(choice);
	const type = ScalarType[scalar as ScalarType].toLowerCase();
	if (type === 'bytes') return 'bytes in base64, or in hex after 0x';
	return type.endsWith('64') ? `${type} (as text if above 2^53)` : type;
}

function formatChoice(choice: DescEnum): string {
	return `one of ${formatNames(getValueNames(choice))}`;
}

/** Formats numbers as they were written (see `exactJson`); unsafe integers in exponential form, as they may have lost digits. */
export function formatJsonExcerpt(value: unknown): string {
	if (typeof value === 'symbol') return formatExcerpt(value.description).replaceAll('"', '');
	const isLost = Number.isInteger(value) && !Number.isSafeInteger(value);
	if (isLost) return formatExcerpt(Number(value).toExponential());
	if (typeof value !== 'object') return formatExcerpt(value);
	return formatExcerpt(JSON.parse(JSON.stringify(value, replaceSymbol)));
}

function replaceSymbol(_key: string, value: unknown): unknown {
	return typeof value === 'symbol' ? value.description : value;
}
