import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import type { WitnessChain } from '../../harness/witnessChain.mts';
import { createContext } from './chains.mts';

type Json = Record<string, unknown>;

/** Creates a reader that passes its requests to a model of a chain, unless `fail` throws. */
export function createWitnessReader(
	chain: WitnessChain,
	fail: (path: string, body: Json) => void = () => {},
) {
	return createContext<RestRequest>(async ({ path, body = {} }) => {
		await Promise.resolve();
		const json = (typeof body === 'string' ? JSON.parse(body) : body) as Json;
		fail(path, json);
		const answer = chain.answer(path, json);
		if (answer === undefined) throw new RequestFailure('not found', { httpCode: 404 });
		return structuredClone(answer);
	});
}
