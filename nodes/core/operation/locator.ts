import type { INodePropertyMode } from 'n8n-workflow';
import { isRecord } from '../values/parse';

const LOCATOR_KEYS = ['__rl', 'mode', 'value', 'cachedResultName', 'cachedResultUrl'];

/** An object with anything else in it is data, such as an item that has a `value`. */
export function isLocator(given: unknown): given is { readonly value: unknown } {
	if (!isRecord(given) || !('value' in given)) return false;
	return given.__rl === true || Object.keys(given).every((key) => LOCATOR_KEYS.includes(key));
}

/** The modes of a field whose value is chosen from a list with a search, or given by hand. */
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
