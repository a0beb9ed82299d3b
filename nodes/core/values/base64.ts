import { type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

/** Parses standard or URL-safe base64, with or without padding, and returns standard base64. */
export const parseBase64: Parse<string> = (given) => {
	const bytes = typeof given === 'string' ? decodeBase64(given) : undefined;
	return bytes && bytes.length > 0
		? bytes.toString('base64')
		: raise(new InvalidValue('complete base64'));
};

/**
 * Decodes base64; returns undefined if the text is invalid. Buffer ignores invalid characters, so the decoded bytes
 * are encoded again and compared.
 */
export function decodeBase64(text: string): Buffer | undefined {
	const standard = toStandardBase64(text);
	if (standard === undefined) return undefined;
	const bytes = Buffer.from(standard, 'base64');
	return bytes.toString('base64').startsWith(standard) ? bytes : undefined;
}

const [PLUS = 0, SLASH = 0, MINUS = 0, UNDERSCORE = 0, SPACE = 0] = Buffer.from('+/-_ ');
const MAX_ASCII = 127;

/**
 * Converts base64 to its standard form, without white space and URL-safe characters. The loop is used because
 * replacing millions of characters would block n8n for seconds. Returns undefined for other text.
 */
export function toStandardBase64(text: string): string | undefined {
	if (!/[-_\s]/.test(text)) return text;
	const standard = Buffer.alloc(text.length);
	let length = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code <= SPACE || code > MAX_ASCII) {
			if (/\S/.test(text.charAt(at))) return undefined;
		} else if (code === MINUS) standard[length++] = PLUS;
		else if (code === UNDERSCORE) standard[length++] = SLASH;
		else standard[length++] = code;
	}
	return standard.toString('latin1', 0, length);
}
