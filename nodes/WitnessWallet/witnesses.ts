import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { withoutSecrets, RequestFailure } from '../core/errors/requestFailure';
import { nodeError } from '../core/errors/nodeError';
import { openHttpClient } from '../core/http/httpClient';
import { nodeCredentialOf } from '../core/protocols/nodeClient';
import { answered } from '../core/protocols/rest';
import { list } from './list';

const TIMEOUT = 10_000;
/** Nobody looks further down a list of candidates. */
const MOST_SHOWN = 500;

interface Witness {
	readonly address: string;
	readonly url: string;
	readonly votes: bigint;
}

/** What the editor offers for a vote: the witnesses and the candidates, those with the most votes first. */
export async function witnesses(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const found = await witnessesOf(this);
	const wanted = filter.trim().toLowerCase();
	return {
		results: found
			.filter(({ address, url }) => `${address} ${url}`.toLowerCase().includes(wanted))
			.sort((one, other) => Number(other.votes > one.votes) - Number(other.votes < one.votes))
			.slice(0, MOST_SHOWN)
			.map(({ address, url, votes }) => ({
				name: `${url || address} (${votes.toLocaleString('en-US')} votes)`,
				value: address,
				description: address,
			})),
	};
}

async function witnessesOf(context: ILoadOptionsFunctions): Promise<Witness[]> {
	try {
		const credential = nodeCredentialOf(context.getCurrentNodeParameter('authentication'));
		const http = await openHttpClient(context, credential);
		const visible = context.getCurrentNodeParameter('visible') !== false;
		const request = list.request({ visible, returnAll: true, limit: undefined, options: {} });
		const answer = await answered(http, { ...request, timeout: TIMEOUT }).catch((failure) => {
			throw failure instanceof RequestFailure ? withoutSecrets(failure, http.redact) : failure;
		});
		return list.answer(answer).flatMap(witnessIn);
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

function witnessIn({ address, url, voteCount }: Readonly<Record<string, unknown>>): Witness[] {
	if (typeof address !== 'string') return [];
	const votes = /^\d{1,30}$/.test(String(voteCount)) ? BigInt(String(voteCount)) : 0n;
	return [{ address, url: typeof url === 'string' ? url : '', votes }];
}
