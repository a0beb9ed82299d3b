import { isRecord, tryParseJson } from '../values/parseJson';

/** What comes after so much of an answer says nothing about what went wrong. */
const MOST_READ = 100_000;
const LONGEST = 500;

/** The service's own words for what went wrong, from the shapes its parts use; undefined when it has none. */
export function serviceMessage(body: string): string | undefined {
	const json = jsonOf(body);
	if (json !== undefined) return wordsIn(json);
	const words = plainWords(body.slice(0, MOST_READ).trim());
	return words && shortened(words);
}

/** The same, from an answer that was parsed already. */
export function wordsIn(json: unknown): string | undefined {
	const words = jsonWords(json);
	return words && shortened(words);
}

/** The JSON of an answer that tells of a failure; none is as long as data may be. */
export function jsonOf(body: string): unknown {
	return body.length > MOST_READ ? undefined : tryParseJson(body);
}

/** Foreign words, short enough to be read and searched. */
export function shortened(words: string): string {
	return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
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

function plainWords(text: string): string | undefined {
	if (/^<(!doctype|html|head|body)/i.test(text)) return htmlTitle(text);
	return /^[{[]/.test(text) ? undefined : asText(text);
}

function htmlTitle(html: string): string | undefined {
	const tag = html.search(/<title/i);
	const start = tag < 0 ? -1 : html.indexOf('>', tag);
	const end = html.indexOf('<', start);
	if (start < 0 || end < 0) return undefined;
	return asText(html.slice(start + 1, end).replace(/\s+/g, ' '));
}
