import type { RequestFailure } from '../errors/requestFailure';

/** Whether a node speaks of how much one search may span or find. */
export function isSearchLimit({ message }: RequestFailure): boolean {
	return /\b(range|span|too (many|large|wide)|exceed|limit)/i.test(message);
}
