import {
	fromJson,
	toJson,
	type DescMessage,
	type JsonValue,
	type Message,
} from '@bufbuild/protobuf';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';

const DURATION_PATTERN = /^-?\d+(?:\.\d{1,9})?s$/;
const TIME_PATTERN =
	/^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/;

/** Parses a Timestamp, Duration or FieldMask from its text. */
export function parseTextForm(type: DescMessage, json: unknown): Message | undefined {
	if (type.typeName === DurationSchema.typeName && !DURATION_PATTERN.test(String(json)))
		return undefined;
	try {
		return fromJson(type, json as JsonValue);
	} catch {
		return undefined;
	}
}

/** Returns undefined for values without a text form, such as a time beyond the calendar. */
export function formatTextForm(type: DescMessage, message: Message): JsonValue | undefined {
	try {
		return toJson(type, message);
	} catch {
		return undefined;
	}
}

/** Whether the text is a time on a day or at an hour that does not exist: Date would turn it into another one. */
export function isImpossibleTime({ typeName }: DescMessage, json: unknown): boolean {
	if (typeName !== TimestampSchema.typeName || typeof json !== 'string') return false;
	const [, day, ...parts] = TIME_PATTERN.exec(json) ?? [];
	if (day === undefined) return false;
	const [hour = 0, minute = 0, second = 0, awayHours = 0, awayMinutes = 0] = parts.map((part) =>
		Number(part ?? 0),
	);
	const isClock = [minute, second, awayMinutes].every((part) => part < 60);
	return !isClock || hour > 23 || awayHours > 23 || !isRealDay(day);
}

function isRealDay(day: string): boolean {
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
