import { invalidResponse } from '../core/answers/answer';
import { limit, returnAll } from '../core/operation/sharedFields';
import { isRecord } from '../core/values/parseJson';
import { rest } from '../core/protocols/rest';
import { withoutError } from './answer';
import { options, visible } from './fields';

export const list = rest({
	name: 'Get Many Witnesses',
	action: 'Get many witnesses',
	description: 'Get the witnesses of the chain and the candidates, with their votes',
	fields: [returnAll, limit, visible, options],
	// The server reads `visible` from the query alone; the body makes it the documented POST.
	request: (p) => ({
		path: '/wallet/listwitnesses',
		query: { visible: String(p.visible) },
		body: { visible: p.visible },
	}),
	answer: witnessesIn,
	items: (witnesses) => witnesses.map(whole),
});

type Witness = Readonly<Record<string, unknown>>;

function witnessesIn(body: unknown): readonly Witness[] {
	const answer = withoutError(body);
	const witnesses = isRecord(answer) ? answer.witnesses : undefined;
	return Array.isArray(witnesses) && witnesses.every(isRecord)
		? witnesses
		: invalidResponse('a list of witnesses', body);
}

/** The server leaves out what is zero or false; a filter or a sum needs it. */
function whole(witness: Witness): object {
	return {
		...witness,
		voteCount: witness.voteCount ?? 0,
		totalProduced: witness.totalProduced ?? 0,
		totalMissed: witness.totalMissed ?? 0,
		isJobs: witness.isJobs ?? false,
	};
}
