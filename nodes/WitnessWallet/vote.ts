import { InvalidInput } from '../core/errors/invalidInput';
import type { Field, Params } from '../core/operation/field';
import { listOrHand } from '../core/operation/locator';
import { safeIntegerParser } from '../core/values/numbers';
import { parseField, InvalidValue } from '../core/values/parse';
import { formatBase58 } from '../core/witness/prepare/summary';
import { buildOperation } from './buildOperation';
import { addressParser, ownerAddress, parseAddress, UNSIGNED_TEXT, visible } from './fields';

const MAX_VOTES = 30;

const votes = {
	displayName: 'Votes',
	name: 'votes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add vote',
	default: {},
	description:
		'The witnesses to vote for, 30 at most. These votes replace all earlier votes of the account.',
	options: [
		{
			displayName: 'Vote',
			name: 'vote',
			values: [
				{
					displayName: 'Witness',
					name: 'voteAddress',
					type: 'resourceLocator',
					required: true,
					default: { mode: 'list', value: '' },
					description: 'The witness to vote for',
					modes: listOrHand('witnesses', {
						displayName: 'By Address',
						name: 'address',
						placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
					}),
				},
				{
					displayName: 'Vote Count',
					name: 'voteCount',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. 1000',
					description: 'How many votes to give. Each whole frozen coin is one vote.',
					parse: safeIntegerParser(1),
				},
			],
		},
	],
} as const satisfies Field;

type VoteInputs = Params<(typeof votes)['options'][0]['values']>;

export const vote = buildOperation({
	name: 'Build Vote',
	action: 'Build vote for witnesses',
	description: `Build a transaction that votes for witnesses, the accounts that make the chain's blocks. ${UNSIGNED_TEXT}`,
	fields: [ownerAddress, votes, visible],
	draft: (p) => {
		const owner = parseAddress('From', p.ownerAddress, p.visible);
		const votes = parseVotes(p.votes, p.visible);
		return {
			method: 'votewitnessaccount',
			contract: 'VoteWitnessContract',
			parameters: { owner_address: owner, votes },
			visible: p.visible,
			sentence: `Vote with ${formatBase58(owner)}: ${votes.map(formatVote).join(', ')}`,
		};
	},
});

/** A vote, with the key names that the chain uses. */
interface Vote {
	readonly vote_address: string;
	readonly vote_count: bigint;
}

function formatVote({ vote_address: witness, vote_count: count }: Vote): string {
	return `${count} for ${formatBase58(witness)}`;
}

function parseVotes(given: readonly VoteInputs[], isVisible: boolean): Vote[] {
	if (given.length === 0) throw new InvalidInput("'Votes' must hold at least one vote");
	if (given.length > MAX_VOTES) {
		throw new InvalidInput(`'Votes' must hold at most ${MAX_VOTES} votes; got ${given.length}`);
	}
	const named = new Set<string>();
	return given.map(({ voteAddress, voteCount }, index) => {
		const witness = parseField(`Votes > Vote ${index + 1} > Witness`, voteAddress, (value) => {
			const address = addressParser(isVisible)(value);
			if (named.has(address)) {
				throw new InvalidValue('another witness than in the earlier votes of the list');
			}
			named.add(address);
			return address;
		});
		return { vote_address: witness, vote_count: BigInt(voteCount) };
	});
}
