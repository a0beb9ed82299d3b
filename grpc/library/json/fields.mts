import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import {
	DurationSchema,
	FieldMaskSchema,
	isWrapperDesc,
	TimestampSchema,
} from '@bufbuild/protobuf/wkt';
import { catching, InvalidValue, isRecord, parseTime, toUnixSeconds } from '../../../nodes/core';
import { findField } from '../descriptors/typeNames.mts';
import { parseExactJson } from './exactJson.mts';
import { JsonPath } from './jsonPath.mts';

export interface FieldOptions {
	/** The time zone of times that name none. */
	readonly timezone?: string;
}

/**
 * Builds the JSON of a request from single fields, as the editor or an AI model gives them: messages, lists and maps as
 * JSON text, numbers and flags also as text, and nothing for a field that is not sent. Undefined if no field is set.
 * Throws InvalidValue.
 */
export function buildRequestJson(
	type: DescMessage,
	given: unknown,
	{ timezone = 'UTC' }: FieldOptions,
): unknown {
	if (!isRecord(given)) return parseExactJson(given);
	const set = Object.entries(given).flatMap(([key, value]): Array<[string, unknown]> => {
		const field = findField(type.fields, key);
		if (isUnset(field, value)) return [];
		return [[key, field ? parseFieldJson(field, value, timezone) : value]];
	});
	return set.length > 0 ? Object.fromEntries(set) : undefined;
}

/** Only text fields may be sent with an empty value. */
function isUnset(field: DescField | undefined, value: unknown): boolean {
	if (value === '')
		return field?.fieldKind === 'list' || getSingleType(field).scalar !== ScalarType.STRING;
	return value === undefined || value === null;
}

type SingleType = Partial<Pick<DescField, 'scalar' | 'enum' | 'message'>>;

/** The type of a field; for a wrapper, the type of the value in it. */
function getSingleType(field: DescField | undefined): SingleType {
	if (!field || field.fieldKind === 'map') return {};
	return field.message && isWrapperDesc(field.message) ? field.message.fields[0] : field;
}

function parseFieldJson(field: DescField, given: unknown, timezone: string): unknown {
	const value = typeof given === 'string' ? given : parseExactJson(given);
	if (isJsonField(field)) return typeof value === 'string' ? parseField(field, value) : value;
	const { scalar, enum: choice, message } = getSingleType(field);
	if (scalar === ScalarType.STRING) return formatText(value);
	if (typeof value !== 'string') return value;
	const text = value.trim();
	if (message?.typeName === TimestampSchema.typeName) return addZone(text, timezone);
	if (scalar === ScalarType.BOOL && /^(true|false)$/i.test(text)) return /^true$/i.test(text);
	return choice && /^-?\d+$/.test(text) ? Number(text) : text;
}

const TYPES_WITH_TEXT: ReadonlySet<string> = new Set(
	[DurationSchema, FieldMaskSchema, TimestampSchema].map(({ typeName }) => typeName),
);

/** Whether text in the field is parsed as JSON. */
function isJsonField(field: DescField): boolean {
	if (field.fieldKind === 'list' || field.fieldKind === 'map') return true;
	const { message } = getSingleType(field);
	return message !== undefined && !TYPES_WITH_TEXT.has(message.typeName);
}

function parseField({ jsonName }: DescField, text: string): unknown {
	try {
		return parseExactJson(text);
	} catch (error) {
		if (!(error instanceof InvalidValue))
			return new JsonPath([jsonName]).throwInvalid('JSON', text);
		throw new InvalidValue(`${jsonName}.${error.message}`.replace('.[', '['));
	}
}

/** An unsafe integer may have lost digits. */
function formatText(value: unknown): unknown {
	if (typeof value === 'symbol') return value.description;
	const isExact =
		typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value));
	return isExact || typeof value === 'boolean' ? String(value) : value;
}

const LOCAL_TIME_PATTERN = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(\.\d{1,9})?)?)?$/;

/** n8n's date picker gives a time without a zone. */
function addZone(text: string, timezone: string): string {
	const [local, fraction = ''] = LOCAL_TIME_PATTERN.exec(text) ?? [];
	const time = local ? catching(InvalidValue, () => parseTime(local)) : undefined;
	if (!time || time instanceof InvalidValue) return text;
	const instant = new Date(toUnixSeconds(time, timezone) * 1000);
	return instant.toISOString().replace('.000Z', `${fraction}Z`);
}
