import { type Parse, InvalidValue } from './parse';
import { raise } from '../errors/raise';

/** Parses standard or URL-safe base64, padded or not, to standard base64. */
export const parseBase64: Parse<string> = (given) => {
	const bytes = typeof given === 'string' ? decodeBase64(given) : undefined;
	return bytes && bytes.length > 0
		? bytes.toString('base64')
		: raise(new InvalidValue('complete base64'));
};

/** Buffer ignores what is no base64 and stops early: what it decodes must encode to the same, but for the padding. */
export function decodeBase64(text: string): Buffer | undefined {
	const standard = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	const bytes = Buffer.from(standard, 'base64');
	return bytes.toString('base64').startsWith(standard) ? bytes : undefined;
}
