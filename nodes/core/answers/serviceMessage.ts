import { isRecord, tryParseJson } from '../values/parseJson';

const LONGEST = 500;

/** The service's own words for what went wrong, from the shapes its parts use; undefined when it has none. */
export function serviceMessage(body: string): string | undefined {
	const trimmed = body.trim();
	const json = tryParseJson(trimmed);
	const words = isHtml(trimmed)
		? htmlTitle(trimmed)
		: json === undefined
			? plain(trimmed)
			: jsonWords(json);
	return words && (words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words);
}

function jsonWords(body: unknown): string | undefined {
	if (typeof body === 'string') return asText(body);
	if (!isRecord(body)) return undefined;
	const { error, errors } = body;
	return (
		(isRecord(error) ? asText(error.message) : asText(error)) ??
		(Array.isArray(errors) ? listed(errors) : undefined) ??
		asText(body.message) ??
		asText(body.detail) ??
		fieldErrors(body)
	);
}

function listed(errors: readonly unknown[]): string | undefined {
	const messages = errors.map((error) => asText(isRecord(error) ? error.message : error));
	return joined(messages.filter((message) => message !== undefined));
}

/** For example `{"bucket_id": ["This field is required."]}`. */
function fieldErrors(body: Record<string, unknown>): string | undefined {
	const messages = Object.entries(body)
		.filter((entry): entry is [string, string[]] => isTexts(entry[1]))
		.map(([field, errors]) => `${field}: ${errors.join(' ')}`);
	return joined(messages);
}

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function joined(messages: readonly string[]): string | undefined {
	return messages.length > 0 ? messages.join('; ') : undefined;
}

function asText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function isHtml(body: string): boolean {
	return /^<(!doctype|html|head|body)/i.test(body);
}

function htmlTitle(html: string): string | undefined {
	const title = /<title[^>]*>([^<]*)</i.exec(html)?.[1];
	return asText(title?.replace(/\s+/g, ' '));
}

function plain(body: string): string | undefined {
	return /^[{[]/.test(body) ? undefined : asText(body);
}
