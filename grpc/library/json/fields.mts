import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import {
	DurationSchema,
	FieldMaskSchema,
	isWrapperDesc,
	TimestampSchema,
} from '@bufbuild/protobuf/wkt';
import { attempt, InvalidValue, isRecord, readTime, secondsOf } from '../../../nodes/core';
import { fieldOf } from '../descriptors/typeNames.mts';
import { exactJson } from './exactJson.mts';
import { JsonPath } from './jsonPath.mts';

export interface FieldOptions {
	/** Of times that are given without one. */
	readonly timezone?: string;
}

/**
 * The JSON of a request whose fields are given one by one, as the editor holds them or a model gives them: messages, lists
 * and maps as JSON text, numbers and flags as text too, and nothing where a field is not to be sent. Undefined where none
 * is. Throws InvalidValue.
 */
export function jsonOfFields(
	type: DescMessage,
	given: unknown,
	{ timezone = 'UTC' }: FieldOptions,
): unknown {
	if (!isRecord(given)) return exactJson(given);
	const set = Object.entries(given).flatMap(([key, value]): Array<[string, unknown]> => {
		const field = fieldOf(type.fields, key);
		if (isUnset(field, value)) return [];
		return [[key, field ? fieldJson(field, value, timezone) : value]];
	});
	return set.length > 0 ? Object.fromEntries(set) : undefined;
}

/** Only a text may be empty. */
function isUnset(field: DescField | undefined, value: unknown): boolean {
	if (value === '')
		return field?.fieldKind === 'list' || single(field).scalar !== ScalarType.STRING;
	return value === undefined || value === null;
}

type Single = Partial<Pick<DescField, 'scalar' | 'enum' | 'message'>>;

/** Of a wrapper, the field in it. */
function single(field: DescField | undefined): Single {
	if (!field || field.fieldKind === 'map') return {};
	return field.message && isWrapperDesc(field.message) ? field.message.fields[0] : field;
}

function fieldJson(field: DescField, given: unknown, timezone: string): unknown {
	const value = typeof given === 'string' ? given : exactJson(given);
	if (isJson(field)) return typeof value === 'string' ? parsed(field, value) : value;
	const { scalar, enum: choice, message } = single(field);
	if (scalar === ScalarType.STRING) return asText(value);
	if (typeof value !== 'string') return value;
	const text = value.trim();
	if (message?.typeName === TimestampSchema.typeName) return withZone(text, timezone);
	if (scalar === ScalarType.BOOL && /^(true|false)$/i.test(text)) return /^true$/i.test(text);
	return choice && /^-?\d+$/.test(text) ? Number(text) : text;
}

const WITH_TEXT: ReadonlySet<string> = new Set(
	[DurationSchema, FieldMaskSchema, TimestampSchema].map(({ typeName }) => typeName),
);

/** Whether text in the field is JSON. */
function isJson(field: DescField): boolean {
	if (field.fieldKind === 'list' || field.fieldKind === 'map') return true;
	const { message } = single(field);
	return message !== undefined && !WITH_TEXT.has(message.typeName);
}

function parsed({ jsonName }: DescField, text: string): unknown {
	try {
		return exactJson(text);
	} catch (error) {
		if (!(error instanceof InvalidValue)) return new JsonPath([jsonName]).mustBe('JSON', text);
		throw new InvalidValue(`${jsonName}.${error.message}`.replace('.[', '['));
	}
}

/** An unsafe integer may have lost digits. */
function asText(value: unknown): unknown {
	if (typeof value === 'symbol') return value.description;
	const isExact =
		typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value));
	return isExact || typeof value === 'boolean' ? String(value) : value;
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(\.\d{1,9})?)?)?$/;

/** n8n's date picker gives a time without a zone. */
function withZone(text: string, timezone: string): string {
	const [local, fraction = ''] = LOCAL_TIME.exec(text) ?? [];
	const time = local ? attempt(InvalidValue, () => readTime(local)) : undefined;
	if (!time || time instanceof InvalidValue) return text;
	const instant = new Date(secondsOf(time, timezone) * 1000);
	return instant.toISOString().replace('.000Z', `${fraction}Z`);
}
