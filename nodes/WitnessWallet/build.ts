import { InvalidInput } from '../../credentials/invalidInput';
import type { Field, Params } from '../core/operation/field';
import { rest } from '../core/rest/rest';
import { witnessAccount, witnessAddress, witnessForms } from '../core/values/addresses';
import { wholeNumberFrom } from '../core/values/numbers';
import { mustBe, readAs, text, type Read } from '../core/values/read';
import { asAsked, builtTransaction } from './built';
import { options, ownerAddress, readAddress, visible } from './fields';

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
					read: wholeNumberFrom(1),
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
			owner_address: readAddress('Owner Address', p.ownerAddress, p.visible).written,
			votes: checkedVotes(p.votes, p.visible),
			visible: p.visible,
		},
	}),
	answer: builtTransaction,
	items: (built, p) => [
		asAsked(built, {
			contract: 'VoteWitnessContract',
			parameters: {
				owner_address: hexOf(p.ownerAddress),
				votes: p.votes.map(({ voteAddress, voteCount }) => ({
					vote_address: hexOf(voteAddress),
					vote_count: BigInt(voteCount),
				})),
			},
		}),
	],
});

/** Of an address that has been read. */
function hexOf(address: unknown): string {
	return witnessForms(witnessAccount(address)).hex;
}

function checkedVotes(given: readonly Vote[], isVisible: boolean): object[] {
	if (given.length === 0) throw new InvalidInput("'Votes' must hold at least one vote");
	if (given.length > MOST_VOTES) {
		throw new InvalidInput(`'Votes' must hold at most ${MOST_VOTES} votes; got ${given.length}`);
	}
	const named = new Set<string>();
	return given.map(({ voteAddress, voteCount }, index) => ({
		vote_address: readAs(`Votes > Vote ${index + 1} > Witness`, voteAddress, (value) => {
			const address = witnessAddress(isVisible)(value);
			// Base58 is case-sensitive, hex is not.
			const account = isVisible ? address : address.toLowerCase();
			if (named.has(account)) return mustBe('a witness that no earlier vote names');
			named.add(account);
			return address;
		}),
		vote_count: voteCount,
	}));
}

const MOST_BYTES = 256;
/** Characters that must be escaped or are half of one, and a % that escapes nothing. */
const NOT_IN_URL = /[\s\p{Cc}\p{Cs}"<>\\^`{|}]|%(?![0-9a-f]{2})/iu;

/** `new URL` would repair spaces, backslashes and missing slashes. */
const webAddress: Read<string> = (given) => {
	const value = text(given);
	const isUrl = /^https?:\/\/[^/?#]/i.test(value) && !NOT_IN_URL.test(value) && URL.canParse(value);
	if (!isUrl) return mustBe('a valid URL such as https://example.com');
	return Buffer.byteLength(value) <= MOST_BYTES
		? value
		: mustBe(`at most ${MOST_BYTES} bytes long`);
};

const url = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com',
	description: 'The website of the witness',
	read: webAddress,
} as const satisfies Field;

export const create = rest({
	name: 'Build Witness Registration',
	action: 'Build a witness registration',
	description:
		'Build a transaction that makes the account a witness. Nothing happens until it is signed and, within a minute, broadcast.',
	fields: [ownerAddress, url, visible, options],
	request: (p) => ({
		path: '/wallet/createwitness',
		body: {
			owner_address: readAddress('Owner Address', p.ownerAddress, p.visible).written,
			// Without `visible`, the server takes all text for hex.
			url: p.visible ? p.url : Buffer.from(p.url).toString('hex'),
			visible: p.visible,
		},
	}),
	answer: builtTransaction,
	items: (built, p) => [
		asAsked(built, {
			contract: 'WitnessCreateContract',
			parameters: { owner_address: hexOf(p.ownerAddress), url: p.url },
		}),
	],
});
