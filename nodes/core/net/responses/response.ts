import { RequestFailure } from '../../errors/requestFailure';
import { formatRequestLine } from '../http/networkErrors';
import type { HttpRequest, HttpResponse } from '../http/types';
import { getRetryReason } from '../pacing/retry';
import { formatExcerpt } from '../../values/excerpt';
import { parseJsonIfValid, tryParseJson } from '../../values/json';
import { JsonTooLarge } from '../../values/jsonCost';
import { catching, isRecord } from '../../values/parse';
import { raise } from '../../errors/raise';

/** Parses the JSON of a response. If the JSON is invalid, the request may still have been carried out. */
export function parseResponse(request: HttpRequest, { status, text }: HttpResponse): unknown {
	const body = catching(JsonTooLarge, () => parseJsonIfValid(text));
	if (body instanceof JsonTooLarge) throw tooLargeError(request, { status, text });
	if (body !== undefined) return body;
	const words = findServiceMessage(text) ?? 'text that is not complete JSON';
	const what = text.trim() === '' ? 'an empty body' : words;
	throw new RequestFailure('The service returned an invalid response', {
		description: `${formatRequestLine(request)} answered ${status} with ${what}.`,
		maybeExecuted: true,
	});
}

/**
 * Builds the error for a response that is too large to parse. It has the HTTP status, so that a search can try a
 * smaller range.
 */
function tooLargeError(
	request: HttpRequest,
	{ status, text }: Pick<HttpResponse, 'status' | 'text'>,
): RequestFailure {
	return new RequestFailure('The response is too large', {
		description: `${formatRequestLine(request)} answered ${status} with JSON of ${text.length} characters. Parsing it would block n8n for more than 250 ms. Ask for less at a time.`,
		httpCode: status,
		maybeExecuted: true,
	});
}

/** Builds the error for an HTTP status. The message begins with the words of the service. */
export function statusError(
	request: HttpRequest,
	{ status, headers, text }: HttpResponse,
): RequestFailure {
	const words = findServiceMessage(text);
	const hint = getStatusHint(status);
	const retryAfter = headers['retry-after'];
	return new RequestFailure(words ?? getStockPhrase(status), {
		description: `${formatRequestLine(request)} answered ${status}.${hint ? ` ${hint}` : ''}`,
		httpCode: status,
		retry: isQuota(words ?? '') ? undefined : getRetryReason(status, retryAfter, words),
		maybeExecuted: status >= 500,
		answer: parseErrorJson(text),
	});
}

function getStockPhrase(status: number): string {
	if (status < 400) return 'The service redirected the request, and redirects are not followed';
	if (status === 401 || status === 403) return 'The service refused the credential';
	if (status === 404) return 'The service did not find what was asked for';
	if (status === 413) return 'The request is too large for the service';
	if (status === 429) return 'The service received too many requests';
	return status < 500
		? 'The service refused the request'
		: 'The service failed to handle the request';
}

function getStatusHint(status: number): string | undefined {
	if (status < 400) return 'Check the address in the credential.';
	if (status === 401 || status === 403) return 'Check the secret in the credential.';
	return undefined;
}

/** Whether an error is about a daily or monthly quota, for which waiting is useless. */
export function isQuota(words: string): boolean {
	return /month|daily|per day/i.test(words) && /quota|limit|exceed|usage/i.test(words);
}

export function invalidResponseError(promised: string, body: unknown): RequestFailure {
	return new RequestFailure(`The service did not answer with ${promised}`, {
		description: `It answered ${formatExcerpt(body)}.`,
		maybeExecuted: true,
	});
}

/** Makes a parser that throws if a response is not an object with all of the keys. */
export function recordParser<Key extends string>(promised: string, ...keys: readonly Key[]) {
	return (body: unknown): Record<Key, unknown> & Record<string, unknown> => {
		const fits = isRecord(body) && keys.every((key) => body[key] !== undefined);
		return fits ? (body as Record<Key, unknown>) : raise(invalidResponseError(promised, body));
	};
}

/** Longer error pages are not parsed, and only their beginning is searched for a message. */
const MAX_ERROR_PAGE_CHARS = 100_000;
const MAX_MESSAGE_CHARS = 500;

/** Finds the message in an error response, in JSON or HTML; undefined if there is none. */
export function findServiceMessage(body: string): string | undefined {
	const json = parseErrorJson(body);
	if (json !== undefined) return findMessage(json);
	const words = findPlainMessage(body.slice(0, MAX_ERROR_PAGE_CHARS).trim());
	return words && shortenMessage(words);
}

/** Finds the message in the parsed JSON of an error response. */
export function findMessage(json: unknown): string | undefined {
	const words = findJsonMessage(json);
	return words && shortenMessage(words);
}

/** Parses the JSON of an error response. A long response is not parsed, because error messages are short. */
function parseErrorJson(body: string): unknown {
	return body.length > MAX_ERROR_PAGE_CHARS ? undefined : tryParseJson(body);
}

/** Shortens text of a service, so that people can read it and regular expressions stay fast. */
export function shortenMessage(words: string): string {
	return words.length > MAX_MESSAGE_CHARS ? `${words.slice(0, MAX_MESSAGE_CHARS)}…` : words;
}

function findJsonMessage(body: unknown): string | undefined {
	if (typeof body === 'string') return getNonBlankText(body);
	if (!isRecord(body)) return undefined;
	const { error, errors } = body;
	return (
		(isRecord(error) ? getNonBlankText(error.message) : getNonBlankText(error)) ??
		(Array.isArray(errors) ? formatErrorList(errors) : undefined) ??
		getNonBlankText(body.message) ??
		getNonBlankText(body.detail) ??
		formatFieldErrors(body)
	);
}

function formatErrorList(errors: readonly unknown[]): string | undefined {
	const messages = errors.map((error) => getNonBlankText(isRecord(error) ? error.message : error));
	return joinMessages(messages.filter((message) => message !== undefined));
}

/** Formats errors about fields, such as `{"bucket_id": ["This field is required."]}`. */
function formatFieldErrors(body: Record<string, unknown>): string | undefined {
	const messages = Object.entries(body)
		.filter((entry): entry is [string, string[]] => isTextList(entry[1]))
		.map(([field, errors]) => `${field}: ${errors.join(' ')}`);
	return joinMessages(messages);
}

function isTextList(value: unknown): value is string[] {
	return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function joinMessages(messages: readonly string[]): string | undefined {
	return messages.length > 0 ? messages.join('; ') : undefined;
}

function getNonBlankText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function findPlainMessage(text: string): string | undefined {
	if (/^<(!doctype|html|head|body)/i.test(text)) return findHtmlTitle(text);
	return /^[{[]/.test(text) ? undefined : getNonBlankText(text);
}

function findHtmlTitle(html: string): string | undefined {
	const tag = html.search(/<title/i);
	const start = tag < 0 ? -1 : html.indexOf('>', tag);
	const end = html.indexOf('<', start);
	if (start < 0 || end < 0) return undefined;
	return getNonBlankText(html.slice(start + 1, end).replace(/\s+/g, ' '));
}
