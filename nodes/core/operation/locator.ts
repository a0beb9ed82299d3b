import type { INodePropertyMode } from 'n8n-workflow';

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
