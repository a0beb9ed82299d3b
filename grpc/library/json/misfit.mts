import { ScalarType, type DescEnum, type DescField } from '@bufbuild/protobuf';
import { excerpt } from '../../../nodes/core';
import { valueNames } from '../descriptors/typeNames.mts';

/** JSON that stands for no such message; says which part of it, and what that part must be. */
export class Misfit extends Error {}

/** The way to a part of the JSON, such as `transfers[2].amount`. */
export class JsonPath {
	private readonly parts: string[] = [];

	/** Does something with a part. When that fails, the way there stays. */
	in<T>(part: string, action: () => T): T {
		this.parts.push(part);
		const result = action();
		this.parts.pop();
		return result;
	}

	mustBe(be: string, value: unknown): never {
		throw new Misfit(`${this.toString() || 'it'} must be ${be}; got ${jsonExcerpt(value)}`);
	}

	fail(words: string): never {
		const path = this.toString();
		throw new Misfit(path ? `${path} ${words}` : words);
	}

	toString(): string {
		return this.parts.join('.').replaceAll('.[', '[');
	}
}

/** What a field takes, or each item of one that takes many. */
export function expectedValue({
	enum: choice,
	scalar,
}: Pick<DescField, 'enum' | 'scalar'>): string {
	if (choice) return oneOf(choice);
	const type = ScalarType[scalar as ScalarType].toLowerCase();
	if (type === 'bytes') return 'bytes in base64, or in hex after 0x';
	return type.endsWith('64') ? `${type} (as text if above 2^53)` : type;
}

function oneOf(choice: DescEnum): string {
	return `one of ${valueNames(choice).join(', ')}`;
}

/** A number as it was written. Where an expression may have lost digits, they are not shown as if they were right. */
export function jsonExcerpt(value: unknown): string {
	if (typeof value === 'symbol') return excerpt(value.description).replaceAll('"', '');
	const isLost = Number.isInteger(value) && !Number.isSafeInteger(value);
	if (isLost) return excerpt(Number(value).toExponential());
	if (typeof value !== 'object') return excerpt(value);
	return excerpt(JSON.parse(JSON.stringify(value, textOfNumber)));
}

function textOfNumber(_key: string, value: unknown): unknown {
	return typeof value === 'symbol' ? value.description : value;
}
