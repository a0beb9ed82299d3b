import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { nodeError } from '../errors/nodeError';

/** An entry of a list in the editor. Names that anyone may have chosen are shortened. */
export interface Choice {
	readonly name: string;
	readonly value: string;
}

/** At most this many entries are shown, since nobody looks through a longer list. */
const MAX_LISTED = 500;

/** Lists the entries that match the search. Entries that n8n would evaluate as expressions are left out. */
export async function listChoices(
	context: ILoadOptionsFunctions,
	filter: string | undefined,
	find: () => Promise<readonly Choice[]>,
): Promise<INodeListSearchResult> {
	const wanted = filter?.trim().toLowerCase() ?? '';
	const fits = ({ name, value }: Choice) =>
		!value.startsWith('=') && `${name} ${value}`.toLowerCase().includes(wanted);
	const found = await find().catch((failure: unknown) => {
		throw nodeError(context.getNode(), failure);
	});
	return {
		results: found
			.filter(fits)
			.slice(0, MAX_LISTED)
			.map(({ name, value }) => ({ name, value })),
	};
}
