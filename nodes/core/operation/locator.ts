import type { INodePropertyMode } from 'n8n-workflow';
import { isRecord } from '../values/parse';

const LOCATOR_KEYS = ['__rl', 'mode', 'value', 'cachedResultName', 'cachedResultUrl'];

/**
 * Whether a value is a resource locator. An object with any other key is data, such as an item that has a field
 * `value`.
 */
export function isLocator(given: unknown): given is { readonly value: unknown } {
	if (!isRecord(given) || !('value' in given)) return false;
	return given.__rl === true || Object.keys(given).every((key) => LOCATOR_KEYS.includes(key));
}

/** Builds the modes of a field whose value is either chosen from a searchable list or typed. */
export function listOrHand(
	searchListMethod: string,
	hand: Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder'>,
): readonly INodePropertyMode[] {
	return [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list' as const,
			typeOptions: { searchListMethod, searchable: true },
		},
		{ ...hand, type: 'string' as const },
	];
}
