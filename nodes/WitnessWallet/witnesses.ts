import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listChoices } from '../core/chain/editorList';
import { openEditorService } from '../core/chain/editorReader';
import { limit, returnAll } from '../core/operation/sharedFields';
import { invalidResponseError } from '../core/net/responses/response';
import { restOperation } from '../core/protocols/rest';
import { isRecord } from '../core/values/parse';
import { shortenText } from '../core/values/quoted';
import { throwIfError } from '../core/witness/answers';
import { visible } from './fields';
import { raise } from '../core/errors/raise';

const MAX_NAME_CHARS = 60;

interface Witness {
	readonly address: string;
	readonly url: string;
	readonly votes: bigint;
}

/** Lists witnesses and candidates for n8n's editor, with the most votes first. */
export async function searchWitnesses(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listChoices(this, filter, async () =>
		(await fetchWitnesses(this))
			.sort((one, other) => Number(other.votes > one.votes) - Number(other.votes < one.votes))
			.map(({ address, url, votes }) => ({
				name: `${shortenText(url || address, MAX_NAME_CHARS)} (${votes.toLocaleString('en-US')} votes)`,
				value: address,
			})),
	);
}

async function fetchWitnesses(context: ILoadOptionsFunctions): Promise<Witness[]> {
	const reader = await openEditorService(context);
	const visible = context.getCurrentNodeParameter('visible') !== false;
	const request = list.request({ visible, returnAll: true, limit: undefined });
	return list.answer(await reader.call(request)).flatMap(parseWitness);
}

function parseWitness({ address, url, voteCount }: Readonly<Record<string, unknown>>): Witness[] {
	if (typeof address !== 'string') return [];
	const count = typeof voteCount === 'number' ? String(voteCount) : voteCount;
	const votes = typeof count === 'string' && /^\d{1,30}$/.test(count) ? BigInt(count) : 0n;
	return [{ address, url: typeof url === 'string' ? url : '', votes }];
}

export const list = restOperation({
	name: 'Get Many Witnesses',
	action: 'Get many witnesses',
	description:
		'Get the witnesses (makers of blocks) and the candidates of the chain, with the votes for them',
	fields: [returnAll, limit, visible],
	// The server reads `visible` from the query. The body is sent so that the request is a POST, as documented.
	request: (p) => ({
		path: '/wallet/listwitnesses',
		query: { visible: String(p.visible) },
		body: { visible: p.visible },
	}),
	answer: parseWitnessList,
	items: (witnesses) => witnesses.map(withZeros),
});

type ListedWitness = Readonly<Record<string, unknown>>;

function parseWitnessList(body: unknown): readonly ListedWitness[] {
	const answer = throwIfError(body);
	const witnesses = isRecord(answer) ? answer.witnesses : undefined;
	return Array.isArray(witnesses) && witnesses.every(isRecord)
		? witnesses
		: raise(invalidResponseError('a list of witnesses', body));
}

/** Adds the values that the server leaves out, because they are 0 or false. */
function withZeros(witness: ListedWitness): object {
	return {
		...witness,
		voteCount: witness.voteCount ?? 0,
		totalProduced: witness.totalProduced ?? 0,
		totalMissed: witness.totalMissed ?? 0,
		isJobs: witness.isJobs ?? false,
	};
}
