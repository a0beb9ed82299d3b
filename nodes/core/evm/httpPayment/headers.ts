import { decodeBase64 } from '../../values/base64';
import { tryParseJson, type JsonObject } from '../../values/json';
import { isRecord } from '../../values/parse';

/** The names of the HTTP headers in versions 1 and 2 of x402. */
export const REQUIRED_HEADER = 'PAYMENT-REQUIRED';
export const PAYMENT_HEADERS = { 1: 'X-PAYMENT', 2: 'PAYMENT-SIGNATURE' } as const;
export const RECEIPT_HEADERS = { 1: 'X-PAYMENT-RESPONSE', 2: 'PAYMENT-RESPONSE' } as const;

export type X402Version = keyof typeof PAYMENT_HEADERS;

/** Limits the length of a header, in characters. No server accepts longer headers. */
export const MAX_HEADER_CHARS = 65_536;

/** Encodes an object in the form of a header: base64 of JSON. */
export function encodeHeader(content: object): string {
	return Buffer.from(JSON.stringify(content)).toString('base64');
}

/** Decodes base64 of a JSON object; returns undefined for any other text. */
export function decodeHeader(text: string): JsonObject | undefined {
	const bytes = text.length <= MAX_HEADER_CHARS ? decodeBase64(text.trim()) : undefined;
	const content = bytes && tryParseJson(bytes.toString());
	return isRecord(content) ? content : undefined;
}
