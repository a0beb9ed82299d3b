import type { Field, Params } from '../core/operation/field';
import { readAs, unfit } from '../core/values/read';
import { Refusal } from '../../credentials/refusal';
import { rest } from '../core/protocols/rest';
import { wholeNumber } from '../core/values/basic';
import { wholeAmount } from '../core/values/quantity';
import { witnessAddress } from '../core/values/witnessAddress';
import { builtTransaction } from './answer';
import { options, ownerAddress, visible } from './fields';

const MOST_VOTES = 30;

const votes = {
	displayName: 'Votes',
	name: 'votes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add vote',
	default: {},
	description:
		'The witnesses to vote for, 30 at most. They replace all earlier votes of the account.',
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
					modes: [
						{
							displayName: 'From List',
							name: 'list',
							type: 'list',
							typeOptions: { searchListMethod: 'witnesses', searchable: true },
						},
						{
							displayName: 'By Address',
							name: 'address',
							type: 'string',
							placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
						},
					],
				},
				{
					displayName: 'Vote Count',
					name: 'voteCount',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. 1000',
					description: 'How many votes to give; each whole frozen coin is worth one',
					read: (given: unknown) => wholeNumber(1)(Number(wholeAmount(given))),
				},
			],
		},
	],
} as const satisfies Field;

type Vote = Params<(typeof votes)['options'][0]['values']>;

export const vote = rest({
	name: 'Build Vote',
	action: 'Build a vote for witnesses',
	description:
		'Build a transaction that votes for witnesses. Nothing happens until it is signed and, within a minute, broadcast.',
	fields: [ownerAddress, votes, visible, options],
	request: (p) => ({
		path: '/wallet/votewitnessaccount',
		body: {
			owner_address: readAs('Owner Address', p.ownerAddress, witnessAddress(p.visible)),
			votes: checkedVotes(p.votes, p.visible),
			visible: p.visible,
		},
	}),
	answer: builtTransaction,
});

function checkedVotes(given: readonly Vote[], isVisible: boolean): object[] {
	if (given.length === 0) throw new Refusal("'Votes' must hold at least one vote");
	if (given.length > MOST_VOTES) {
		throw new Refusal(`'Votes' must hold at most ${MOST_VOTES} votes; got ${given.length}`);
	}
	const named = new Set<string>();
	return given.map(({ voteAddress, voteCount }, index) => ({
		vote_address: readAs(`Votes > Vote ${index + 1} > Witness`, voteAddress, (value) => {
			const address = witnessAddress(isVisible)(value);
			// The case of hex digits does not matter, that of base58 does.
			const account = isVisible ? address : address.toLowerCase();
			if (named.has(account)) return unfit('a witness that no earlier vote names');
			named.add(account);
			return address;
		}),
		vote_count: voteCount,
	}));
}
